/** A process whose doors are closed but which the kernel does not hold: says which ways out are left. */

import { disableSystemApis } from "../../../../server/boot/sandbox/disable-system-apis.ts";
import reaching from "./engines/reaching.ts";

disableSystemApis();
console.log(JSON.stringify((await reaching(Number(process.argv[2]), () => {}, { timeoutMs: 1_000, memoryMb: 100 })).open));
process.exit();
