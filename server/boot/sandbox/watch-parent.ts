/** Ends this process soon after its parent has ended, even while the main thread is busy. */

/** How often the parent is checked. */
const checkEveryMs = 250;

/**
 * On Linux the kernel does this because of `--no-orphans`. Elsewhere a thread checks whether the process has another parent, which
 * works even while a loop in JavaScript or WebAssembly blocks the main thread. The thread takes about 4 MB.
 */
export function watchParent(): void {
	const source = `
		const parent = process.ppid;
		setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, ${checkEveryMs});
	`;
	new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { smol: true });
}
