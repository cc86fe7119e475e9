;; The scan of a vector matrix, in WebAssembly for its 128-bit instructions, which JavaScript cannot use.
;; `bun scripts/build-wat.ts` makes scan.wasm of this file.
;;
;; Memory, in bytes: [0, 32) are the sums of one block; from 64 on are the tables of the query, 16 bytes for each four dimensions;
;; after them, at offsets that the caller passes, are the query, the entries and the rows. An entry has three 32-bit numbers: the index of a
;; vector, the sum of its signs, its inner product with the query.
(module
  (memory (export "memory") 1)

  ;; Scans blocks of 16 vectors, of whose numbers only the signs are stored, one bit each. Four signs are the index in a table of 16
  ;; sums that the query made (the "fast scan" of André, Kermarrec and Le Scouarnec, 2015), so one instruction looks up 16
  ;; vectors. Writes an entry to $out for each vector whose sum is at least $least. Returns how many bytes of entries it wrote.
  (func (export "scan")
    (param $codes i32) (param $groups i32) (param $block i32) (param $end i32) (param $step i32) (param $least i32) (param $out i32)
    (result i32)
    (local $at i32) (local $table i32) (local $left i32) (local $found i32) (local $next i32)
    (local $first v128) (local $second v128) (local $low v128) (local $high v128) (local $sum v128) (local $nibble v128) (local $limit v128)
    (local.set $nibble (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $limit (i16x8.splat (local.get $least)))
    (local.set $next (local.get $out))
    (if (i32.lt_u (local.get $block) (local.get $end))
      (then
        (loop $blocks
          (local.set $at (i32.add (local.get $codes) (i32.mul (i32.mul (local.get $block) (local.get $groups)) (i32.const 32))))
          (local.set $table (i32.const 64))
          (local.set $left (local.get $groups))
          (local.set $low (v128.const i64x2 0 0))
          (local.set $high (v128.const i64x2 0 0))
          ;; Sixteen dimensions per turn: two bytes of each of the 16 vectors, four tables.
          (loop $dimensions
            (local.set $first (v128.load align=1 (local.get $at)))
            (local.set $second (v128.load offset=16 align=1 (local.get $at)))
            (local.set $sum
              (i8x16.add
                (i8x16.add
                  (i8x16.swizzle (v128.load align=1 (local.get $table)) (v128.and (local.get $first) (local.get $nibble)))
                  (i8x16.swizzle (v128.load offset=16 align=1 (local.get $table))
                    (v128.and (i16x8.shr_u (local.get $first) (i32.const 4)) (local.get $nibble))))
                (i8x16.add
                  (i8x16.swizzle (v128.load offset=32 align=1 (local.get $table)) (v128.and (local.get $second) (local.get $nibble)))
                  (i8x16.swizzle (v128.load offset=48 align=1 (local.get $table))
                    (v128.and (i16x8.shr_u (local.get $second) (i32.const 4)) (local.get $nibble))))))
            (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_u (local.get $sum))))
            (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_u (local.get $sum))))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $table (i32.add (local.get $table) (i32.const 64)))
            (br_if $dimensions (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
          ;; One bit for each vector that reaches the sum.
          (local.set $found
            (i8x16.bitmask
              (i8x16.narrow_i16x8_s
                (i16x8.ge_s (local.get $low) (local.get $limit))
                (i16x8.ge_s (local.get $high) (local.get $limit)))))
          (if (local.get $found)
            (then
              (v128.store align=1 (i32.const 0) (local.get $low))
              (v128.store offset=16 align=1 (i32.const 0) (local.get $high))
              (loop $entries
                (i32.store (local.get $next) (i32.add (i32.mul (local.get $block) (i32.const 16)) (i32.ctz (local.get $found))))
                (i32.store offset=4 (local.get $next) (i32.load16_u (i32.shl (i32.ctz (local.get $found)) (i32.const 1))))
                (local.set $next (i32.add (local.get $next) (i32.const 12)))
                (br_if $entries (local.tee $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))))))
          (br_if $blocks (i32.lt_u (local.tee $block (i32.add (local.get $block) (local.get $step))) (local.get $end))))))
    (i32.sub (local.get $next) (local.get $out)))

  ;; As scan, for eight queries at once, which share the work of reading the signs. So that the sums of all queries fit
  ;; into registers they are numbers of 8 bits with a sign, and stay at the greatest or least of these. At $eight: 16 bytes for the sums of each
  ;; query in a block; at 128 four bytes for each, where its next entry goes; at 160 one byte for each, its least sum; at 192 the tables, for each
  ;; sixteen dimensions the 64 bytes of every query.
  (func (export "scanEight")
    (param $eight i32) (param $codes i32) (param $groups i32) (param $block i32) (param $end i32) (param $step i32)
    (local $at i32) (local $table i32) (local $left i32) (local $found i32) (local $next i32) (local $query i32)
    (local $first v128) (local $second v128) (local $nibble v128)
    (local $signsA v128) (local $signsB v128) (local $signsC v128) (local $signsD v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $sum4 v128) (local $sum5 v128) (local $sum6 v128) (local $sum7 v128)
    (local.set $nibble (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (if (i32.lt_u (local.get $block) (local.get $end))
      (then
        (loop $blocks
          (local.set $at (i32.add (local.get $codes) (i32.mul (i32.mul (local.get $block) (local.get $groups)) (i32.const 32))))
          (local.set $table (i32.add (local.get $eight) (i32.const 192)))
          (local.set $left (local.get $groups))
          (local.set $sum0 (v128.const i64x2 0 0))
          (local.set $sum1 (v128.const i64x2 0 0))
          (local.set $sum2 (v128.const i64x2 0 0))
          (local.set $sum3 (v128.const i64x2 0 0))
          (local.set $sum4 (v128.const i64x2 0 0))
          (local.set $sum5 (v128.const i64x2 0 0))
          (local.set $sum6 (v128.const i64x2 0 0))
          (local.set $sum7 (v128.const i64x2 0 0))
          (loop $dimensions
            (local.set $first (v128.load align=1 (local.get $at)))
            (local.set $second (v128.load offset=16 align=1 (local.get $at)))
            (local.set $signsA (v128.and (local.get $first) (local.get $nibble)))
            (local.set $signsB (v128.and (i16x8.shr_u (local.get $first) (i32.const 4)) (local.get $nibble)))
            (local.set $signsC (v128.and (local.get $second) (local.get $nibble)))
            (local.set $signsD (v128.and (i16x8.shr_u (local.get $second) (i32.const 4)) (local.get $nibble)))
            (local.set $sum0 (i8x16.add_sat_s (local.get $sum0) (i8x16.swizzle (v128.load align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum0 (i8x16.add_sat_s (local.get $sum0) (i8x16.swizzle (v128.load offset=16 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum0 (i8x16.add_sat_s (local.get $sum0) (i8x16.swizzle (v128.load offset=32 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum0 (i8x16.add_sat_s (local.get $sum0) (i8x16.swizzle (v128.load offset=48 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum1 (i8x16.add_sat_s (local.get $sum1) (i8x16.swizzle (v128.load offset=64 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum1 (i8x16.add_sat_s (local.get $sum1) (i8x16.swizzle (v128.load offset=80 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum1 (i8x16.add_sat_s (local.get $sum1) (i8x16.swizzle (v128.load offset=96 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum1 (i8x16.add_sat_s (local.get $sum1) (i8x16.swizzle (v128.load offset=112 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum2 (i8x16.add_sat_s (local.get $sum2) (i8x16.swizzle (v128.load offset=128 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum2 (i8x16.add_sat_s (local.get $sum2) (i8x16.swizzle (v128.load offset=144 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum2 (i8x16.add_sat_s (local.get $sum2) (i8x16.swizzle (v128.load offset=160 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum2 (i8x16.add_sat_s (local.get $sum2) (i8x16.swizzle (v128.load offset=176 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum3 (i8x16.add_sat_s (local.get $sum3) (i8x16.swizzle (v128.load offset=192 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum3 (i8x16.add_sat_s (local.get $sum3) (i8x16.swizzle (v128.load offset=208 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum3 (i8x16.add_sat_s (local.get $sum3) (i8x16.swizzle (v128.load offset=224 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum3 (i8x16.add_sat_s (local.get $sum3) (i8x16.swizzle (v128.load offset=240 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum4 (i8x16.add_sat_s (local.get $sum4) (i8x16.swizzle (v128.load offset=256 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum4 (i8x16.add_sat_s (local.get $sum4) (i8x16.swizzle (v128.load offset=272 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum4 (i8x16.add_sat_s (local.get $sum4) (i8x16.swizzle (v128.load offset=288 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum4 (i8x16.add_sat_s (local.get $sum4) (i8x16.swizzle (v128.load offset=304 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum5 (i8x16.add_sat_s (local.get $sum5) (i8x16.swizzle (v128.load offset=320 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum5 (i8x16.add_sat_s (local.get $sum5) (i8x16.swizzle (v128.load offset=336 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum5 (i8x16.add_sat_s (local.get $sum5) (i8x16.swizzle (v128.load offset=352 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum5 (i8x16.add_sat_s (local.get $sum5) (i8x16.swizzle (v128.load offset=368 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum6 (i8x16.add_sat_s (local.get $sum6) (i8x16.swizzle (v128.load offset=384 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum6 (i8x16.add_sat_s (local.get $sum6) (i8x16.swizzle (v128.load offset=400 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum6 (i8x16.add_sat_s (local.get $sum6) (i8x16.swizzle (v128.load offset=416 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum6 (i8x16.add_sat_s (local.get $sum6) (i8x16.swizzle (v128.load offset=432 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $sum7 (i8x16.add_sat_s (local.get $sum7) (i8x16.swizzle (v128.load offset=448 align=1 (local.get $table)) (local.get $signsA))))
            (local.set $sum7 (i8x16.add_sat_s (local.get $sum7) (i8x16.swizzle (v128.load offset=464 align=1 (local.get $table)) (local.get $signsB))))
            (local.set $sum7 (i8x16.add_sat_s (local.get $sum7) (i8x16.swizzle (v128.load offset=480 align=1 (local.get $table)) (local.get $signsC))))
            (local.set $sum7 (i8x16.add_sat_s (local.get $sum7) (i8x16.swizzle (v128.load offset=496 align=1 (local.get $table)) (local.get $signsD))))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $table (i32.add (local.get $table) (i32.const 512)))
            (br_if $dimensions (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
          (v128.store align=1 (local.get $eight) (local.get $sum0))
          (v128.store offset=16 align=1 (local.get $eight) (local.get $sum1))
          (v128.store offset=32 align=1 (local.get $eight) (local.get $sum2))
          (v128.store offset=48 align=1 (local.get $eight) (local.get $sum3))
          (v128.store offset=64 align=1 (local.get $eight) (local.get $sum4))
          (v128.store offset=80 align=1 (local.get $eight) (local.get $sum5))
          (v128.store offset=96 align=1 (local.get $eight) (local.get $sum6))
          (v128.store offset=112 align=1 (local.get $eight) (local.get $sum7))
          (local.set $query (i32.const 0))
          (loop $queries
            (local.set $found
              (i8x16.bitmask
                (i8x16.ge_s
                  (v128.load align=1 (i32.add (local.get $eight) (i32.shl (local.get $query) (i32.const 4))))
                  (v128.load8_splat offset=160 (i32.add (local.get $eight) (local.get $query))))))
            (if (local.get $found)
              (then
                (local.set $at (i32.add (local.get $eight) (i32.shl (local.get $query) (i32.const 2))))
                (local.set $next (i32.load offset=128 (local.get $at)))
                (loop $entries
                  (i32.store (local.get $next) (i32.add (i32.mul (local.get $block) (i32.const 16)) (i32.ctz (local.get $found))))
                  (i32.store offset=4 (local.get $next)
                    (i32.load8_s
                      (i32.add
                        (i32.add (local.get $eight) (i32.shl (local.get $query) (i32.const 4)))
                        (i32.ctz (local.get $found)))))
                  (local.set $next (i32.add (local.get $next) (i32.const 12)))
                  (br_if $entries (local.tee $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))))
                (i32.store offset=128 (local.get $at) (local.get $next))))
            (br_if $queries (i32.lt_u (local.tee $query (i32.add (local.get $query) (i32.const 1))) (i32.const 8))))
          (br_if $blocks (i32.lt_u (local.tee $block (i32.add (local.get $block) (local.get $step))) (local.get $end)))))))

  ;; Writes to $count entries of $out, a multiple of four, the inner product of their vector with the query, both of 8-bit
  ;; numbers. It reads four vectors at a time: they are far apart in memory, which is then waited for once instead of four times.
  (func (export "compare") (param $query i32) (param $rows i32) (param $rowBytes i32) (param $out i32) (param $count i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $at i32) (local $end i32)
    (local $low v128) (local $high v128) (local $row v128)
    (local $sumA v128) (local $sumB v128) (local $sumC v128) (local $sumD v128)
    (if (local.get $count)
      (then
        (loop $four
          (local.set $a (i32.add (local.get $rows) (i32.mul (i32.load (local.get $out)) (local.get $rowBytes))))
          (local.set $b (i32.add (local.get $rows) (i32.mul (i32.load offset=12 (local.get $out)) (local.get $rowBytes))))
          (local.set $c (i32.add (local.get $rows) (i32.mul (i32.load offset=24 (local.get $out)) (local.get $rowBytes))))
          (local.set $d (i32.add (local.get $rows) (i32.mul (i32.load offset=36 (local.get $out)) (local.get $rowBytes))))
          (local.set $at (local.get $query))
          (local.set $end (i32.add (local.get $query) (local.get $rowBytes)))
          (local.set $sumA (v128.const i64x2 0 0))
          (local.set $sumB (v128.const i64x2 0 0))
          (local.set $sumC (v128.const i64x2 0 0))
          (local.set $sumD (v128.const i64x2 0 0))
          (loop $dimensions
            (local.set $low (i16x8.extend_low_i8x16_s (v128.load align=1 (local.get $at))))
            (local.set $high (i16x8.extend_high_i8x16_s (v128.load align=1 (local.get $at))))
            (local.set $row (v128.load align=1 (local.get $a)))
            (local.set $sumA (i32x4.add (local.get $sumA) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $row)))
              (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $row))))))
            (local.set $row (v128.load align=1 (local.get $b)))
            (local.set $sumB (i32x4.add (local.get $sumB) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $row)))
              (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $row))))))
            (local.set $row (v128.load align=1 (local.get $c)))
            (local.set $sumC (i32x4.add (local.get $sumC) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $row)))
              (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $row))))))
            (local.set $row (v128.load align=1 (local.get $d)))
            (local.set $sumD (i32x4.add (local.get $sumD) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $row)))
              (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $row))))))
            (local.set $a (i32.add (local.get $a) (i32.const 16)))
            (local.set $b (i32.add (local.get $b) (i32.const 16)))
            (local.set $c (i32.add (local.get $c) (i32.const 16)))
            (local.set $d (i32.add (local.get $d) (i32.const 16)))
            (br_if $dimensions (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
          (i32.store offset=8 (local.get $out) (call $total (local.get $sumA)))
          (i32.store offset=20 (local.get $out) (call $total (local.get $sumB)))
          (i32.store offset=32 (local.get $out) (call $total (local.get $sumC)))
          (i32.store offset=44 (local.get $out) (call $total (local.get $sumD)))
          (local.set $out (i32.add (local.get $out) (i32.const 48)))
          (br_if $four (i32.gt_s (local.tee $count (i32.sub (local.get $count) (i32.const 4))) (i32.const 0)))))))

  ;; Writes the signs of a row to its position in a block. Returns the square of the row's length.
  (func (export "enter") (param $row i32) (param $groups i32) (param $codes i32) (result i32)
    (local $signs i32) (local $numbers v128) (local $sum v128)
    (loop $dimensions
      (local.set $numbers (v128.load align=1 (local.get $row)))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
        (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $numbers)) (i16x8.extend_low_i8x16_s (local.get $numbers)))
        (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $numbers)) (i16x8.extend_high_i8x16_s (local.get $numbers))))))
      (local.set $signs (i8x16.bitmask (i8x16.gt_s (local.get $numbers) (v128.const i64x2 0 0))))
      (i32.store8 (local.get $codes) (local.get $signs))
      (i32.store8 offset=16 (local.get $codes) (i32.shr_u (local.get $signs) (i32.const 8)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
      (br_if $dimensions (local.tee $groups (i32.sub (local.get $groups) (i32.const 1)))))
    (call $total (local.get $sum)))

  (func $total (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
