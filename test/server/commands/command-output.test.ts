/** What a command prints arrives whole, however slow its reader is, and a full disk is told. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const source = new URL("../../../server/commands/command-output.ts", import.meta.url).pathname;
const longText = 300_000;

let folder: string;
let program: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-output-"));
	program = join(folder, "print.ts");
	// Says on its fourth descriptor that it has printed, so that a reader can begin after that.
	await writeFile(
		program,
		`import { writeSync } from "node:fs";
import { createCommandOutput } from ${JSON.stringify(source)};
const output = createCommandOutput();
output.write("first\\n");
output.write("x".repeat(${longText}));
writeSync(3, "printed\\n");
try {
	await output.finish();
	process.exit(0);
} catch (thrown) {
	process.stderr.write(thrown.code);
	process.exit(1);
}
`,
	);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function shell(script: string) {
	const child = Bun.spawn(["sh", "-c", script, "sh", process.execPath, program], { cwd: folder, stdout: "pipe", stderr: "pipe" });
	const [printed, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	return { code: await child.exited, printed: printed.trim(), complained };
}

test("a reader that begins late gets everything", async () => {
	const { printed } = await shell('mkfifo told; "$1" "$2" 3> told | { read -r word < told; wc -c; }');
	expect(Number(printed)).toBe("first\n".length + longText);
});

test("a reader that has read enough is no fault", async () => {
	const { printed, complained } = await shell('{ "$1" "$2" 3> /dev/null; echo "ended with $?" >&2; } | { read -r line; echo "$line"; }');
	expect([printed, complained.trim()]).toEqual(["first", "ended with 0"]);
});

test.if(process.platform === "linux")("a full disk is told, and is no success", async () => {
	const { code, complained } = await shell('"$1" "$2" 3> /dev/null > /dev/full');
	expect([code, complained]).toEqual([1, "ENOSPC"]);
});
