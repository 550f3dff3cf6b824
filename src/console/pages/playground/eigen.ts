/** Eigenvalues, the largest first, and eigenvectors as columns, of a small symmetric matrix: Jacobi's rotations. */
export function eigen(matrix: number[][]): { values: number[]; vectors: number[][] } {
  const size = matrix.length;
  const a = matrix.map((row) => [...row]);
  const v = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let off = 0;
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) off += a[p]![q]! ** 2;
    if (off < 1e-24) break;
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        if (a[p]![q] === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        turn(a, v, p, q, c, t * c);
      }
    }
  }
  const order = a.map((_, i) => i).toSorted((i, j) => a[j]![j]! - a[i]![i]!);
  return { values: order.map((i) => a[i]![i]!), vectors: v.map((row) => order.map((i) => row[i]!)) };
}

function turn(a: number[][], v: number[][], p: number, q: number, c: number, s: number): void {
  for (const row of a) [row[p], row[q]] = [c * row[p]! - s * row[q]!, s * row[p]! + c * row[q]!];
  const [rowP, rowQ] = [a[p]!, a[q]!];
  for (let k = 0; k < rowP.length; k += 1) {
    [rowP[k], rowQ[k]] = [c * rowP[k]! - s * rowQ[k]!, s * rowP[k]! + c * rowQ[k]!];
  }
  for (const row of v) [row[p], row[q]] = [c * row[p]! - s * row[q]!, s * row[p]! + c * row[q]!];
}
