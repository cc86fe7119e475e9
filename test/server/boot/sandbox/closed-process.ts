/** A process whose doors are closed but which the kernel does not hold: says which ways out are left. */

import { closeEscapes } from "../../../../server/boot/sandbox/close-escapes.ts";
import reaching from "./engines/reaching.ts";

closeEscapes();
console.log(JSON.stringify((await reaching(Number(process.argv[2]), () => {}, { timeoutMs: 1_000, memoryMb: 100 })).open));
process.exit();
