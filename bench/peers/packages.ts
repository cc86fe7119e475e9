/** Packages of this folder, which the repository itself has not. They are installed when one is first asked for. */

import { existsSync } from "node:fs";
import { join } from "node:path";

export function packageOf(name: string): Promise<unknown> {
	install();
	return import(name);
}

function install(): void {
	if (existsSync(join(import.meta.dir, "node_modules"))) return;
	const { exitCode } = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile"], { cwd: import.meta.dir, stdout: "inherit", stderr: "inherit" });
	if (exitCode !== 0) throw new Error("the peers could not be installed");
}
