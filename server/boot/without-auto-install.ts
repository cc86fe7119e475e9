/**
 * Bun fetches and runs whatever package a file imports where no `node_modules` lies above that file, and only a flag of the
 * program turns this off. Imported first, this starts a program without the flag anew with it: as the same process, or where the
 * system cannot do that as its child.
 */

const flag = "--no-install";

/** Flags of `BUN_OPTIONS` are among them. */
if (!process.execArgv.includes(flag)) startAnew([process.execPath, flag, ...process.execArgv, ...process.argv.slice(1)]);

function startAnew(command: readonly [program: string, ...args: readonly string[]]): void {
	process.execve?.(command[0], command);
	const { exitCode, signalCode } = Bun.spawnSync([...command], { stdio: ["inherit", "inherit", "inherit"] });
	if (signalCode !== undefined) process.kill(process.pid, signalCode);
	process.exit(exitCode);
}
