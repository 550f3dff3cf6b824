/**
 * What canaries embed: prose, a question, a title, code, data, other scripts, and one that is as long as fits into the
 * shortest contexts in use. Stored baselines hold the vectors of exactly these, so a change of them needs new baselines.
 */
export const texts: readonly string[] = [
  "The lighthouse keeper logged the weather every three hours and never once mentioned the sea.",
  "How do I return a parcel that was delivered to the wrong address?",
  "Quarterly report: shipping costs by region",
  "ferry",
  "Nach dem Regen roch der Wald nach Pilzen, und auf dem Weg zum See standen überall Pfützen.",
  "El tren de las ocho sale con veinte minutos de retraso por obras en la vía.",
  "図書館は月曜日に休みですが、返却ポストはいつでも使えます。",
  "تُغلق أبواب المتحف عند الخامسة مساءً في أيام الشتاء.",
  "def median(values):\n    ordered = sorted(values)\n    middle = len(ordered) // 2\n    return ordered[middle]",
  '{"order": 48213, "items": [{"sku": "A-7", "count": 2}], "paid": true, "total": "31.90 EUR"}',
  "WARNING!!! 3 of 14 pumps OFFLINE @ 02:45 — pressure 1.8 bar (expected ≥ 2.5) … see runbook §4.2",
  "A compost heap works because fungi and bacteria eat what the kitchen leaves behind. They need air, so turn the heap every few weeks, and they need water, so cover it in summer. Peel and grass feed the bacteria; straw and torn cardboard feed the fungi. When nothing in it looks like food any more, and it smells of soil, it is ready for the beds.",
];
