// Loaded before the first paint, so that a chosen theme never flashes the other one. "system" (or nothing) leaves it to the browser.
try {
  var chosen = localStorage.getItem("gatehouse.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (storageIsOff) {}
