/** Eigenvalues, the largest first, and eigenvectors as columns, of a small symmetric matrix: Jacobi's rotations. */
export function eigen(matrix: number[][]): { values: number[]; vectors: number[][] } {
  const size = matrix.length;
  const a = matrix.map((row) => [...row]);
  const v = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  const at = (i: number, j: number) => a[i]?.[j] ?? 0;
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let off = 0;
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) off += at(p, q) ** 2;
    if (off < 1e-24) break;
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        if (at(p, q) === 0) continue;
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (const row of [...a, ...v]) {
          const [x = 0, y = 0] = [row[p], row[q]];
          [row[p], row[q]] = [c * x - s * y, s * x + c * y];
        }
        const [rowP = [], rowQ = []] = [a[p], a[q]];
        a[p] = rowP.map((x, k) => c * x - s * (rowQ[k] ?? 0));
        a[q] = rowP.map((x, k) => s * x + c * (rowQ[k] ?? 0));
      }
    }
  }
  const order = a.map((_, i) => i).toSorted((i, j) => at(j, j) - at(i, i));
  return { values: order.map((i) => at(i, i)), vectors: v.map((row) => order.map((i) => row[i] ?? 0)) };
}
