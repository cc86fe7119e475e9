/**
 * The servers of the compose file, with exactly its environment, as processes: two that take requests, two that work, the proxy where Caddy
 * is installed, on PostgreSQL and an S3 of the tests. All start at once on an empty database; one of each is killed; the others end in order.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { rootFolder } from "../../scripts/checks.ts";
import { namesIn, readCompose } from "../doubles/compose-file.ts";
import { freePort } from "../doubles/free-port.ts";
import { type Collector, startCollector } from "../doubles/otlp-collector.ts";
import { type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { spawnServer } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
const key = "key-of-the-cluster-0123456789";
const traceId = "5bf92f3577b34da6a3ce929d0e0e4737";
const read = (...path: readonly string[]) => Bun.file(join(rootFolder, "deploy", "cluster", ...path)).text();

interface Node {
	readonly role: string;
	readonly address: string;
	readonly process: ReturnType<typeof spawnServer>;
}

describe.skipIf(url === undefined)("the servers of the compose file", () => {
	const database = `cairn_cluster_${randomUUID().replaceAll("-", "")}`;
	let admin: postgres.Sql;
	let folder: string;
	let peer: S3Peer;
	let collector: Collector;
	let nodes: readonly Node[];
	/** The proxy, and a server that takes requests where there is no Caddy. */
	let front: { readonly address: string; readonly process: Bun.Subprocess } | null = null;
	const ofRole = (role: string) => nodes.filter((node) => node.role === role) as [Node, Node];

	beforeAll(async () => {
		admin = postgres(url ?? "", { max: 1, onnotice: () => undefined });
		await admin.unsafe(`CREATE DATABASE ${database}`);
		folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
		peer = await startS3Peer({}, "cairn");
		collector = startCollector();
		const services = readCompose(await read("compose.yaml"), {
			CAIRN_API_KEY: key,
			CAIRN_SECRET: "secret-of-the-cluster",
			CAIRN_METRICS_TOKEN: "token-of-the-cluster",
			POSTGRES_PASSWORD: "password",
			S3_ACCESS_KEY_ID: peer.keys.accessKeyId,
			S3_SECRET_ACCESS_KEY: peer.keys.secretAccessKey,
			S3_RPC_SECRET: "unused",
			OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
		});
		nodes = await Promise.all(
			["api", "worker"].flatMap((role) => {
				const { environment = {}, replicas = 0 } = services[role] ?? {};
				return Array.from({ length: replicas }, () => startNode(role, here(environment)));
			}),
		);
		if (Bun.which("caddy") !== null) front = await startProxy(ofRole("api").map(({ address }) => new URL(address).host));
	}, 240_000);
	afterAll(async () => {
		for (const child of [...(nodes ?? []).map((node) => node.process), ...(front === null ? [] : [front.process])]) {
			child.kill("SIGKILL");
			await child.exited;
		}
		await collector?.close();
		peer?.close();
		await admin.unsafe(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
		await admin.end();
		await rm(folder, { recursive: true, force: true });
	}, 60_000);

	/** The same environment, with the database and the bucket where they are here. */
	function here(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
		const there = new URL(url ?? "");
		there.pathname = `/${database}`;
		const storage = environment["CAIRN_STORAGE_URL"] ?? "";
		const blobs = environment["CAIRN_BLOBS_URL"] ?? "";
		expect([storage, blobs]).toEqual(["postgres://cairn:password@postgres:5432/cairn", "s3://cairn?endpoint=http://s3:3900&region=garage"]);
		return {
			...environment,
			CAIRN_STORAGE_URL: there.href,
			CAIRN_BLOBS_URL: blobs.replace("http://s3:3900", peer.endpoint).replace("garage", peer.keys.region),
		};
	}

	async function startNode(role: string, environment: Readonly<Record<string, string>>): Promise<Node> {
		const port = await freePort();
		const data = await mkdtemp(join(folder, `${role}-`));
		const child = spawnServer(data, { ...environment, PORT: String(port) });
		const printed = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
		const address = `http://127.0.0.1:${port}`;
		// What the health check of the image asks.
		await until(async () => {
			if (child.exitCode !== null) throw new Error(`the server ended: ${(await printed).join("")}`);
			return (await fetch(`${address}/ready`).catch(() => null))?.ok;
		});
		return { role, address, process: child };
	}

	async function startProxy(servers: readonly string[]) {
		const address = `http://127.0.0.1:${await freePort()}`;
		const child = Bun.spawn(["caddy", "run", "--config", join(rootFolder, "deploy", "cluster", "Caddyfile")], {
			env: { PATH: process.env["PATH"] ?? "", HOME: folder, CAIRN_ADDRESS: address, CAIRN_SERVERS: servers.join(" ") },
			stdout: "ignore",
			stderr: "ignore",
		});
		await until(async () => (await fetch(`${address}/ready`).catch(() => null))?.ok);
		return { address, process: child };
	}

	async function ask(address: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
		const response = await fetch(`${address}${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { authorization: `Bearer ${key}`, ...(body instanceof FormData ? {} : { "content-type": "application/json" }), ...headers },
			...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
		});
		const answer = (await response.json()) as Record<string, unknown>;
		if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
		return answer;
	}

	const add = async (address: string, content: string, headers = {}) => String((await ask(address, "/v3/documents", { content }, headers))["id"]);
	/** The limit is that of the test: on a loaded machine a lease that runs out is the least. */
	async function finished(address: string, ids: readonly string[]): Promise<void> {
		for (const id of ids) while ((await ask(address, `/v3/documents/${id}`))["status"] !== "done") await Bun.sleep(50);
	}
	const found = async (address: string, q: string) =>
		((await ask(address, "/v3/search", { q }))["results"] as readonly { readonly documentId: string }[]).map(({ documentId }) => documentId);

	test("each says by its role that it is well", async () => {
		for (const { role, address } of nodes) expect(await (await fetch(`${address}/ready`)).json()).toMatchObject({ status: "ready", role });
		expect(nodes.map(({ role }) => role)).toEqual(["api", "api", "worker", "worker"]);
	});

	test("what one accepts the other finds, in one trace over the processes; a file is in the bucket", async () => {
		const [first, second] = ofRole("api");
		const id = await add(first.address, "The lighthouse keeper counts puffins.", { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
		const form = new FormData();
		form.append("file", new File(["Mooring fees: twelve a night."], "fees.txt", { type: "text/plain" }));
		const file = String((await ask(first.address, "/v3/documents/file", form))["id"]);
		await finished(second.address, [id, file]);
		expect(await found(second.address, "who counts puffins")).toContain(id);
		expect(await found(second.address, "mooring fees")).toContain(file);
		expect([...peer.objects.keys()].filter((name) => !/(?:^|\/)owner$/.test(name))).toHaveLength(1);
		const spans = await until(() => {
			const own = collector.spans.filter((span) => span.traceId === traceId);
			return own.some(({ name }) => name === "job ingest") && own.some(({ name }) => name === "POST /v3/documents") ? own : null;
		});
		const request = spans.find(({ name }) => name === "POST /v3/documents");
		expect(spans.find(({ name }) => name === "job ingest")?.parentSpanId).toBe(request?.spanId ?? "");
	}, 600_000);

	test("one worker and one server are killed, and nothing that was accepted is lost", async () => {
		const [first, second] = ofRole("api");
		const [worker] = ofRole("worker");
		const ids = await Promise.all(
			Array.from({ length: 20 }, (_, i) => add([first, second][i % 2]?.address ?? "", `Boat ${i} carries ${i + 2} barrels of tar.`)),
		);
		worker.process.kill("SIGKILL");
		first.process.kill("SIGKILL");
		await Promise.all([worker.process.exited, first.process.exited]);
		// What the worker held is taken over when its leases expire.
		await finished(second.address, ids);
		expect(new Set(await Promise.all(ids.map((_, i) => found(second.address, `boat ${i} barrels`).then((all) => all.includes(ids[i] ?? "")))))).toEqual(
			new Set([true]),
		);
	}, 600_000);

	test.skipIf(Bun.which("caddy") === null)(
		"the proxy leads every request to the server that is left",
		async () => {
			const statuses = await Promise.all(
				Array.from(
					{ length: 30 },
					async () => (await fetch(`${front?.address}/v3/documents/list`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: "{}" })).status,
				),
			);
			expect(new Set(statuses)).toEqual(new Set([200]));
		},
		120_000,
	);

	test("the others end in order, and leave no job behind", async () => {
		if (front !== null) {
			front.process.kill("SIGTERM");
			expect(await front.process.exited).toBe(0);
		}
		for (const { process: child } of nodes.filter((node) => node.process.signalCode === null)) {
			child.kill("SIGTERM");
			expect(await child.exited).toBe(0);
		}
		const there = new URL(url ?? "");
		there.pathname = `/${database}`;
		const rows = postgres(there.href, { max: 1 });
		expect(await rows`SELECT count(*)::int AS leased FROM jobs WHERE lease IS NOT NULL`).toMatchObject([{ leased: 0 }]);
		await rows.end();
	}, 120_000);
});

test("the example of .env has what the compose file needs, and nothing else", async () => {
	const text = await read("compose.yaml");
	const used = new Set([...text.matchAll(/\$\{(\w+):/g)].map(([, name = ""]) => name));
	const filled = Object.fromEntries(namesIn(await read(".env.example")).map((name) => [name, "x"]));
	expect(Object.keys(filled).toSorted()).toEqual([...used].filter((name) => name !== "CAIRN_SERVERS").toSorted());
	const { api, worker } = readCompose(text, filled);
	expect([api?.environment["CAIRN_ROLE"], worker?.environment["CAIRN_ROLE"], api?.replicas, worker?.replicas]).toEqual(["api", "worker", 2, 2]);
});
