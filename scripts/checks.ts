/** The checks that read the source without running it: used by `scripts/check.ts` and by the tests in `test/architecture/`. */

import { fileURLToPath } from "node:url";

export const rootFolder = fileURLToPath(new URL("..", import.meta.url));

export interface Check {
	readonly name: string;
	readonly command: readonly string[];
}

/** Both tools ask for `node` in their first line; started this way they run where only Bun is installed. */
const tool = (script: string, ...args: readonly string[]) => [process.execPath, `${rootFolder}node_modules/${script}`, ...args];

export const checks: readonly Check[] = [
	{ name: "formatting and lint (biome)", command: tool("@biomejs/biome/bin/biome", "check", "--colors=off", "--max-diagnostics=50", ".") },
	{ name: "types (tsc)", command: tool("typescript/bin/tsc", "--pretty", "false", "-p", ".") },
	{ name: "types of core, which knows no platform (tsc)", command: tool("typescript/bin/tsc", "--pretty", "false", "-p", "core") },
];

/** What the check complains about; empty when all is well. */
export async function complaintsOf(check: Check): Promise<string> {
	const child = Bun.spawn([...check.command], { cwd: rootFolder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
	const [out, error, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	return code === 0 ? "" : `${out}${error}`.trim() || `${check.name} ended with code ${code}`;
}
