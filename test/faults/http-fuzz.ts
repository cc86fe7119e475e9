/**
 * Sends hostile requests to every route and holds each answer to the contract. By hand, for longer than a test may take:
 * `bun test/faults/http-fuzz.ts --count 100000 --seed 7`
 */

import { parseArgs } from "node:util";
import fc from "fast-check";
import { isErrorCode } from "../../core/errors/catalog.ts";
import { ServiceError } from "../../core/errors/fail.ts";
import { statusFor } from "../../server/wire/responses/error.ts";
import { startTestServer, type TestClient } from "../doubles/test-server.ts";
import { type Description, type HostileRequest, hostileRequests } from "./hostile-requests.ts";

/** How often which route answered with which status. */
export type Tally = Map<string, number>;

/** Rejects with the smallest request it found whose answer is wrong. */
export async function fuzz(client: TestClient, count: number, seed: number): Promise<Tally> {
	const description = (await (await client.send("GET", "/openapi.json")).json()) as Description;
	const tally: Tally = new Map();
	const isDocumented = otherThanJson(description);
	await fc.assert(
		fc.asyncProperty(hostileRequests(description), async (request) => {
			const response = await send(client, request);
			const wrong = isDocumented(request, response) ? await response.body?.cancel() : await whatIsWrong(response, request.method);
			tally.set(String(response.status), (tally.get(String(response.status)) ?? 0) + 1);
			if (typeof wrong === "string") throw new Error(`${wrong}: ${request.method} ${request.path.slice(0, 200)} → ${response.status}`);
		}),
		{ numRuns: count, seed, endOnFailure: true },
	);
	return tally;
}

function send(client: TestClient, { method, path, headers, body, isStreamed }: HostileRequest): Promise<Response> {
	const mayHaveBody = body !== null && method !== "GET" && method !== "HEAD";
	return client.send(method, path, undefined, { headers, ...(mayHaveBody ? { body: isStreamed ? streamed(body) : body } : {}) });
}

/** In three pieces, which end in the middle of characters and boundaries. */
function streamed(body: string | Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
	const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
	const third = Math.ceil(bytes.length / 3);
	return new ReadableStream({
		start: (controller) => {
			for (let at = 0; at < bytes.length; at += third) controller.enqueue(bytes.subarray(at, at + third));
			controller.close();
		},
	});
}

/** Whether an answer is one of the few that the description says are no JSON: a stream of events, a plain text. */
function otherThanJson({ paths }: Description): (request: HostileRequest, response: Response) => boolean {
	const answers = Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, { responses }]) =>
			Object.entries(responses).map(([status, { content = {} }]) => ({
				method: method.toUpperCase(),
				path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?(\\?|$)`),
				status: Number(status),
				types: Object.keys(content).filter((type) => type !== "application/json"),
			})),
		),
	);
	return ({ method, path }, { status, headers }) =>
		answers.some(
			(answer) =>
				answer.method === method &&
				answer.status === status &&
				answer.path.test(path) &&
				answer.types.some((type) => headers.get("content-type")?.startsWith(type)),
		);
}

/** A full disk and a storage that is gone are the only faults a server may have while it is healthy. */
const faultsAllowed: ReadonlySet<number> = new Set([503, 507]);
const bodyCharactersMax = 4_000;

async function whatIsWrong(response: Response, method: string): Promise<string | null> {
	const { status, headers } = response;
	if (status >= 500 && !faultsAllowed.has(status)) return `a fault of the server: ${await response.text()}`;
	const requestId = headers.get("x-request-id");
	if (requestId === null || headers.get("x-content-type-options") !== "nosniff") return "the headers of every answer are missing";
	if (method === "HEAD" || status === 204) return null;
	if (!headers.get("content-type")?.startsWith("application/json")) return `not JSON but ${headers.get("content-type")}`;
	const text = await response.text();
	const answer = JSON.parse(text) as Record<string, unknown>;
	if (status < 400) return null;
	if (text.length > bodyCharactersMax) return `an error of ${text.length} characters`;
	// What is let in at /mcp is answered in the words of its own protocol.
	if (answer["jsonrpc"] === "2.0" && typeof answer["error"] === "object") return null;
	const { error, details, code } = answer;
	if (typeof error !== "string" || error === "" || typeof details !== "string" || typeof code !== "string") return `an error without its words: ${text}`;
	if (!isErrorCode(code) || statusFor(new ServiceError(code, [])) !== status) return `an unknown or misplaced code ${code}`;
	return answer["requestId"] === requestId ? null : "two request ids";
}

if (import.meta.main) {
	const { values } = parseArgs({ options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } } });
	const server = await startTestServer();
	try {
		const startedAt = performance.now();
		const tally = await fuzz(await server.client(), Number(values.count), Number(values.seed));
		const seconds = (performance.now() - startedAt) / 1_000;
		const statuses = [...tally].toSorted().map(([status, times]) => `${status}: ${times}`);
		console.log(`${values.count} requests in ${seconds.toFixed(1)} s, ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB; ${statuses.join(", ")}`);
	} finally {
		await server.dispose();
	}
}
