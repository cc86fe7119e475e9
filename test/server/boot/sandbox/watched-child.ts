/** Watches its parent by a thread, as a sandbox child does where the kernel does not, while its main thread runs hot. */

import { watchParent } from "../../../../server/boot/sandbox/watch-parent.ts";

watchParent();
await Bun.sleep(300);
console.log(process.pid);
for (;;);
