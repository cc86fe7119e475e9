/** The launcher keeps its promises in a small project of its own: install once, run from anywhere, pass on signals and exit codes. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, copyFile, exists, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
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
	if (what === "serve") {
		const write = (name, text) => require("node:fs").writeFileSync(rest[0] + "." + name, text);
		process.on("SIGTERM", () => { write("ended", "in order"); process.exit(0); });
		setInterval(() => {}, 1_000);
		write("pid", String(process.pid));
	}
	console.log(JSON.stringify({ what, rest, folder: process.cwd(), flags: process.execArgv }));
`;
/** One package from a folder beside it: nothing is fetched. */
const packageFile = '{ "name": "small", "scripts": { "start": "node scripts/bun.mjs program.ts serve" }, "dependencies": { "part": "file:./part" } }';
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
	await mkdir(join(project, "path"));
	await symlink(process.execPath, join(project, "path", "bun"));
});

afterAll(() => rm(project, { recursive: true, force: true }));

function launch(...args: readonly string[]) {
	return Bun.spawn([process.execPath, join(project, "scripts", "bun.mjs"), ...args], { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
}

const patienceMs = 20_000;

/** @param command what starts the program; the path of the program's marks comes behind it */
async function served(command: readonly string[], name: string) {
	const mark = join(project, name);
	const { npm_lifecycle_script: _ours, ...ours } = process.env;
	// Under Node the launcher looks for a Bun on the path, and would fetch one.
	const env = { ...ours, PATH: `${join(project, "path")}:${ours["PATH"]}` };
	const starter = Bun.spawn([...command, mark], { cwd: project, env, stdio: ["ignore", "ignore", "inherit"] });
	const appears = async (what: string, ms: number): Promise<string | null> => {
		for (const until = Date.now() + ms; Date.now() < until; await Bun.sleep(20)) {
			// Not there yet, or made and not filled yet.
			const text = await Bun.file(`${mark}.${what}`)
				.text()
				.catch(() => "");
			if (text !== "") return text;
		}
		return null;
	};
	const pid = Number(await appears("pid", patienceMs));
	expect(pid).toBeGreaterThan(0);
	return {
		starter,
		ending: (ms: number) => appears("ended", ms),
		[Symbol.asyncDispose]: async () => {
			starter.kill("SIGKILL");
			// Already gone is what most tests want.
			Bun.spawnSync(["kill", "-9", String(pid)], { stderr: "ignore" });
		},
	};
}

describe("the launcher", () => {
	test("runs the program in the project's folder, with its arguments, wherever it was called from", async () => {
		const child = launch("--prod", "program.ts", "say", "--loud", "a b");
		expect(await new Response(child.stdout).json()).toMatchObject({ what: "say", rest: ["--loud", "a b"], folder: project });
		expect(await child.exited).toBe(0);
	});

	test("has Bun fetch nothing that a file imports", async () => {
		expect(await new Response(launch("program.ts", "say").stdout).json()).toMatchObject({ flags: expect.arrayContaining(["--no-install"]) });
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

	const withNpm = test.skipIf(Bun.which("npm") === null || Bun.which("node") === null || process.platform !== "linux");

	withNpm.each(["SIGTERM", "SIGKILL", "SIGHUP"] as const)("%s to the process of npm start ends the program in order", async (signal) => {
		await using program = await served(["npm", "start", "--silent", "--"], `by-${signal}`);
		program.starter.kill(signal);
		expect(await program.ending(patienceMs)).toBe("in order");
	});

	withNpm.each([
		["with nohup, as npm start", 'nohup npm start --silent -- "$0" > /dev/null 2>&1 &'],
		["with setsid, as npm start", 'setsid --fork npm start --silent -- "$0" > /dev/null 2>&1'],
		["without npm", `node scripts/bun.mjs program.ts serve "$0" > /dev/null 2>&1 &`],
	])("a program that was put into the background %s outlives whoever did it", async (name, line) => {
		await using program = await served(["sh", "-c", line], name.replaceAll(/\W/g, "-"));
		await program.starter.exited;
		expect(await program.ending(1_000)).toBeNull();
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
