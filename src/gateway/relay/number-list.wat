;; Whether bytes can be a JSON list of numbers, sixteen at a time: the number of commas from $at to $end, or -1 where a
;; byte stands that no number has, or two commas stand in a row. $end - $at is a multiple of 16.
;; number-list.ts holds it assembled, by wat2wasm of the WebAssembly Binary Toolkit.
(module
  (memory (export "memory") 1)
  (func (export "commas") (param $at i32) (param $end i32) (result i32)
    (local $bytes v128) (local $here i32) (local $before i32) (local $commas i32)
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      (if (i32.eqz (i8x16.all_true
            (v128.or
              (v128.andnot
                (i8x16.le_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 0x2b))) (i8x16.splat (i32.const 0x0e)))
                (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x2f))))
              (v128.or
                (i8x16.eq (v128.or (local.get $bytes) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x65)))
                (v128.or
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x20)))
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x0a))))))))
        (then (return (i32.const -1))))
      (local.set $here (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x2c)))))
      (if (i32.and (local.get $here) (i32.or (i32.shl (local.get $here) (i32.const 1)) (local.get $before)))
        (then (return (i32.const -1))))
      (local.set $before (i32.shr_u (local.get $here) (i32.const 15)))
      (local.set $commas (i32.add (local.get $commas) (i32.popcnt (local.get $here))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.get $commas)))
