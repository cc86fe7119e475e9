/** A second process for the lock's tests: locks the folder it is given, says so, and waits to be killed. */

import { lockFolder } from "../../../../plugins/stores/sqlite/files/folder-lock.ts";

lockFolder(process.argv[2] ?? "");
Bun.gc(true); // the lock must outlive what refers to it
console.log("locked");
setInterval(() => undefined, 60_000);
