/** Ends this process soon after its parent has ended, even while the main thread is busy. */

/** How long an orphan may live on. */
const lookEveryMs = 250;

/**
 * On Linux `--no-orphans` has the kernel do this. Elsewhere a thread looks whether the process was handed to another
 * parent; it can still act when a loop in JavaScript or WebAssembly holds the main thread. About 4 MB.
 */
export function watchParent(): void {
	const source = `
		const parent = process.ppid;
		setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, ${lookEveryMs});
	`;
	new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { smol: true });
}
