/** An engine that says how long it has been imported, and whose import ends the process once the file named in its address is there. */

import { existsSync } from "node:fs";
import type { Engine } from "cairn-memory";

if (existsSync(new URL(import.meta.url).searchParams.get("marker") ?? "")) process.exit(3);
const importedMs = performance.now();

const moody: Engine<null, { readonly pid: number; readonly sinceMs: number }> = async () => ({ pid: process.pid, sinceMs: performance.now() - importedMs });

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default moody;
