/**
 * Bun installs and runs any imported package when there is no `node_modules` above the importing file, unless a flag turns this
 * off. Imported first, this restarts a program without the flag: in the same process, or as a child where that is not possible.
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
