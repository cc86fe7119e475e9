/** The lines of a text file that may be packed with xz, one after another. */

/** Empty lines are left out. */
export async function* readLines(path: string): AsyncGenerator<string> {
	const process = path.endsWith(".xz") ? unpack(path) : null;
	const decoder = new TextDecoder();
	let rest = "";
	for await (const bytes of process?.stdout ?? Bun.file(path).stream()) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
		rest = lines.pop() ?? "";
		for (const line of lines) if (line !== "") yield line;
	}
	if (rest !== "") yield rest;
	const code = await process?.exited;
	if (code !== undefined && code !== 0) throw new Error(`xz could not unpack ${path} (exit code ${code})`);
}

function unpack(path: string): Bun.Subprocess<"ignore", "pipe", "inherit"> {
	if (Bun.which("xz") === null) throw new Error("the program xz is not installed; it unpacks the training data (Debian: apt install xz-utils)");
	return Bun.spawn(["xz", "--decompress", "--stdout", path], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
}
