/** A service on this machine that answers what a test tells it to, and remembers what it was asked. */

import type { AddressReader, AddressReading, Extraction, Plugin, ServiceError } from "cairn-memory";
import { createGuardedFetch } from "../../../server/boot/network/guarded-fetch.ts";
import { createHost } from "../extractor-host.ts";
import { createStep, type WatchedStep } from "../step.ts";

/** By path; a path that ends with `*` stands for all that begin so. */
export type Answers = Readonly<Record<string, Answer>>;
type Answer = unknown | Response | ((request: Request) => unknown);

export interface ServicePeer {
	/** `http://127.0.0.1:4711` */
	readonly origin: string;
	/** `127.0.0.1:4711` */
	readonly host: string;
	/** Path and query of each request. */
	readonly asked: string[];
	answers: Answers;
	readonly close: () => void;
}

/** Values are sent as JSON, strings as a web page. What there is no answer for is 404 in the same way as most services say it. */
export function startServicePeer(answers: Answers = {}): ServicePeer {
	const asked: string[] = [];
	const server = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: async (request) => {
			const { pathname, search } = new URL(request.url);
			asked.push(pathname + search);
			const known = Object.entries(peer.answers).find(([path]) => path === pathname || (path.endsWith("*") && pathname.startsWith(path.slice(0, -1))));
			if (known === undefined) return Response.json({ error: "Not Found" }, { status: 404 });
			const [, answer] = known;
			const value: unknown = typeof answer === "function" ? await (answer as (request: Request) => unknown)(request) : answer;
			if (value instanceof Response) return value.clone();
			return typeof value === "string" ? page(value) : Response.json(value);
		},
	});
	const peer: ServicePeer = {
		origin: `http://127.0.0.1:${server.port}`,
		host: `127.0.0.1:${server.port}`,
		asked,
		answers,
		close: () => void server.stop(true),
	};
	return peer;
}

export function page(html: string, status = 200): Response {
	return new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}

export const busy = () => new Response("Too Many Requests", { status: 429, headers: { "retry-after": "30" } });
export const empty = () => new Response("", { headers: { "content-type": "application/json" } });

export interface Outcome {
	readonly reading: AddressReading | null;
	readonly step: WatchedStep;
}

/** What a reader makes of an address, over the real way out with this one host allowed. */
export async function readWith(plugin: Plugin, address: string, peer: Pick<ServicePeer, "host">): Promise<Outcome> {
	const reader = await readerOf(plugin, peer);
	const url = new URL(address);
	if (!reader.recognizes(url)) throw new Error(`${reader.name} does not recognize ${address}`);
	const step = createStep();
	return { reading: await reader.read(url, step), step };
}

export async function readerOf(plugin: Plugin, peer: Pick<ServicePeer, "host">): Promise<AddressReader> {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const host = { ...createHost(), fetch: createGuardedFetch({ allow: [peer.host], log: () => undefined }) };
	const [reader] = (await plugin.start(checked.value, host)).addressReader ?? [];
	if (reader === undefined) throw new Error(`${plugin.name} offers no address reader`);
	return reader;
}

export async function extractionWith(plugin: Plugin, address: string, peer: Pick<ServicePeer, "host">): Promise<Extraction> {
	const { reading } = await readWith(plugin, address, peer);
	if (reading?.kind !== "extraction") throw new Error(`there is no extraction but ${reading?.kind}`);
	return reading.extraction;
}

/** The error in place of a reading. */
export async function refusalWith(plugin: Plugin, address: string, peer: Pick<ServicePeer, "host">): Promise<ServiceError> {
	return await readWith(plugin, address, peer).then(
		() => {
			throw new Error(`${address} was read`);
		},
		(thrown: ServiceError) => thrown,
	);
}
