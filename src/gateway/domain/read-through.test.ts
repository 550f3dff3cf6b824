import { expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { createReadThrough } from "./read-through.ts";

describeGateway("what is read through", (gateway) => {
  it("is not known once it changed, even where a read had begun before", async () => {
    const { deps } = gateway();
    const known = createReadThrough<string>("gatehouse_read_through_test", 10);
    const old = Promise.withResolvers<string>();
    const first = known.of(deps, "a", () => old.promise);
    await known.changed(deps);
    expect(await known.of(deps, "a", async () => "new")).toBe("new");
    old.resolve("old");
    expect(await first).toBe("old");
    expect(await known.of(deps, "a", async () => "newer")).toBe("new");
  });

  it("is forgotten where another process changes it", async () => {
    const { deps } = gateway();
    const [here, there] = [0, 1].map(() => createReadThrough<string>("gatehouse_read_through_test", 10));
    there?.watch(deps);
    expect(await there?.of(deps, "a", async () => "old")).toBe("old");
    await here?.changed(deps);
    await expect.poll(async () => await there?.of(deps, "a", async () => "new")).toBe("new");
  });

  it("is known of so many ids, the last read ones", async () => {
    const { deps } = gateway();
    const known = createReadThrough<string>("gatehouse_read_through_test", 2);
    for (const id of ["a", "b", "c"]) await known.of(deps, id, async () => "first");
    const again = await Promise.all(["c", "b", "a"].map((id) => known.of(deps, id, async () => "second")));
    expect(again).toEqual(["first", "first", "second"]);
  });
});
