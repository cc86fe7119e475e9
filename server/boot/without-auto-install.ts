/**
 * Bun installs and runs any imported package when there is no `node_modules` above the importing file, unless `--no-install` turns
 * this off. A program imports this module first: if the flag is missing, it is restarted with it, in the same process if possible.
 */

const flag = "--no-install";

/** `process.execArgv` includes the flags of `BUN_OPTIONS`. */
if (!process.execArgv.includes(flag)) restart([process.execPath, flag, ...process.execArgv, ...process.argv.slice(1)]);

function restart(command: readonly [program: string, ...args: readonly string[]]): void {
	process.execve?.(command[0], command);
	const { exitCode, signalCode } = Bun.spawnSync([...command], { stdio: ["inherit", "inherit", "inherit"] });
	if (signalCode !== undefined) process.kill(process.pid, signalCode);
	process.exit(exitCode);
}
