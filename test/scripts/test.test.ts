/** The test runner's last line and exit code tell the truth, above all when the run itself goes wrong. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";

let project = "";

beforeAll(async () => {
	project = await mkdtemp(join(tmpdir(), "cairn-runner-"));
	for (const folder of ["scripts", "test"]) await mkdir(join(project, folder));
	for (const name of ["test.ts", "test-report.ts", "checks.ts"]) await copyFile(join(rootFolder, "scripts", name), join(project, "scripts", name));
	await symlink(join(rootFolder, "node_modules"), join(project, "node_modules"));
	await writeFile(join(project, "package.json"), '{ "type": "module" }');
	await add("good", 'test("one", () => {}); test("two", () => {});');
	await add("skipping", 'test("runs", () => {}); test.skip("waits", () => {});');
	await add("failing", 'test("wrong", () => { throw new Error("1 < 2 is \\"wrong\\""); });');
	await add("unloadable", 'throw new Error("not loadable");');
	await add("quitting", 'test("ends the run as if all were well", () => process.exit(0));');
	await add("crashing", 'test("crashes", () => process.kill(process.pid, "SIGSEGV"));');
});

afterAll(() => rm(project, { recursive: true, force: true }));

function add(name: string, body: string): Promise<void> {
	return writeFile(join(project, "test", `${name}.test.ts`), `import { test } from "bun:test";\n${body}\n`);
}

async function runTests(...names: readonly string[]) {
	const child = Bun.spawn([process.execPath, join(project, "scripts", "test.ts"), ...names], { cwd: tmpdir(), stdio: ["ignore", "pipe", "ignore"] });
	const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
	return { out, lastLine: out.trimEnd().split("\n").at(-1), code };
}

const cases = [
	{ names: ["good"], lastLine: "2 passed, 0 failed", code: 0 },
	{ names: ["good", "skipping"], lastLine: "3 passed, 0 failed, 1 skipped", code: 0 },
	{ names: ["good", "failing"], lastLine: "2 passed, 1 failed", code: 1 },
	{ names: ["good", "unloadable"], lastLine: "2 passed, 1 failed", code: 1 },
	{ names: ["quitting"], lastLine: "0 passed, 1 failed", code: 1 },
	{ names: ["crashing"], lastLine: "0 passed, 1 failed", code: 1 },
	{ names: ["no-such-test"], lastLine: "0 passed, 1 failed", code: 1 },
	{ names: ["good", "-t", "one"], lastLine: "1 passed, 0 failed, 1 skipped", code: 0 },
];

for (const { names, lastLine, code } of cases) {
	test(`${names.join(" ")}: ${lastLine}`, async () => {
		const run = await runTests(...names);
		expect([run.lastLine, run.code]).toEqual([lastLine, code]);
	});
}

test("what failed is told again at the end", async () => {
	const { out } = await runTests("failing", "good");
	expect(out).toEndWith(`
FAILED test/failing.test.ts: wrong
Error: 1 < 2 is "wrong"
      at test/failing.test.ts:2:59

2 passed, 1 failed
`);
});
