/** The launcher keeps its promises in a small project of its own: install once, run from anywhere, pass on signals and exit codes. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, copyFile, exists, mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";

const program = `
	const [what = "", ...rest] = process.argv.slice(2);
	if (what === "code") process.exit(Number(rest[0]));
	if (what === "die") process.kill(process.pid, "SIGKILL");
	if (what === "wait") {
		process.on("SIGTERM", () => process.exit(7));
		setInterval(() => {}, 1_000);
	}
	console.log(JSON.stringify({ what, rest, folder: process.cwd() }));
`;
/** One package from a folder beside it: nothing is fetched. */
const packageFile = '{ "name": "small", "dependencies": { "part": "file:./part" } }';
const lockFile = `{
	"lockfileVersion": 1,
	"workspaces": { "": { "name": "small", "dependencies": { "part": "file:./part" } } },
	"packages": { "part": ["part@file:part", {}] }
}`;
let project = "";
let stamp = "";

beforeAll(async () => {
	project = await realpath(await mkdtemp(join(tmpdir(), "cairn-launcher-")));
	stamp = join(project, "node_modules", ".cairn-installed");
	await mkdir(join(project, "scripts"));
	await copyFile(join(rootFolder, "scripts", "bun.mjs"), join(project, "scripts", "bun.mjs"));
	await writeFile(join(project, "package.json"), packageFile);
	await writeFile(join(project, "program.ts"), program);
	await mkdir(join(project, "part"));
	await writeFile(join(project, "part", "package.json"), '{ "name": "part", "version": "1.0.0" }');
	await writeFile(join(project, "bun.lock"), lockFile);
});

afterAll(() => rm(project, { recursive: true, force: true }));

function launch(...args: readonly string[]) {
	return Bun.spawn([process.execPath, join(project, "scripts", "bun.mjs"), ...args], { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
}

describe("the launcher", () => {
	test("runs the program in the project's folder, with its arguments, wherever it was called from", async () => {
		const child = launch("--prod", "program.ts", "say", "--loud", "a b");
		expect(await new Response(child.stdout).json()).toEqual({ what: "say", rest: ["--loud", "a b"], folder: project });
		expect(await child.exited).toBe(0);
	});

	test("installs once per state of the lock file, and again in full after --prod", async () => {
		await rm(stamp, { force: true });
		await launch("--prod", "program.ts").exited;
		const first = (await stat(stamp)).mtimeMs;
		await launch("--prod", "program.ts").exited;
		expect((await stat(stamp)).mtimeMs).toBe(first);
		expect(await Bun.file(stamp).text()).toEndWith(" production");

		await launch("program.ts").exited;
		expect(await Bun.file(stamp).text()).toEndWith(" full");
		await launch("--prod", "program.ts").exited;
		expect(await Bun.file(stamp).text()).toEndWith(" full");
	});

	test("leaves no stamp when the install fails, and starts nothing", async () => {
		await launch("program.ts").exited;
		await writeFile(join(project, "package.json"), '{ "name": "small", "dependencies": { "not-in-the-lock": "file:./nowhere" } }');
		const child = launch("program.ts", "say");
		expect(await child.exited).not.toBe(0);
		expect(await new Response(child.stdout).text()).toBe("");
		expect(await new Response(child.stderr).text()).toContain("nothing was started");
		expect(await exists(stamp)).toBe(false);
		await writeFile(join(project, "package.json"), packageFile);
		expect(await launch("program.ts").exited).toBe(0);
	});

	test("ends as the program ends: by its code, or by the signal that ended it", async () => {
		expect(await launch("program.ts", "code", "42").exited).toBe(42);
		const killed = launch("program.ts", "die");
		await killed.exited;
		expect(killed.signalCode).toBe("SIGKILL");
	});

	test("hands a signal on and waits for the answer", async () => {
		const child = launch("program.ts", "wait");
		const reader = child.stdout.getReader();
		await reader.read();
		child.kill("SIGTERM");
		expect(await child.exited).toBe(7);
	});

	// Only where Node is installed: under Bun the launcher would take the Bun that runs it.
	test.skipIf(Bun.which("node") === null)("says what to do when there is neither a fitting bun nor npm", async () => {
		const tools = join(project, "tools");
		await mkdir(tools);
		await writeFile(join(tools, "bun"), "#!/bin/sh\necho 1.2.3\n");
		await chmod(join(tools, "bun"), 0o755);
		const node = Bun.which("node") ?? "";
		const child = Bun.spawn([node, join(project, "scripts", "bun.mjs"), "program.ts"], {
			cwd: tmpdir(),
			env: { PATH: tools },
			stdio: ["ignore", "pipe", "pipe"],
		});
		expect(await child.exited).toBe(1);
		const said = await new Response(child.stderr).text();
		expect(said).toContain("bun 1.2.3 does not fit");
		expect(said).toContain("npm, which would fetch it, was not found either");
		expect(said).toContain("install bun with your package manager");
	});
});
