/** A server as its users have it, and the official client pointed at it. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Supermemory from "supermemory";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface OfficialClient {
	readonly client: Supermemory;
	readonly server: ServerProcess;
	/** The server's data folder, and a place for files of the test. */
	readonly folder: string;
	/** What the client sent, retries included: `POST /v3/documents`. */
	readonly sent: string[];
	/** Rejects when the document fails or takes too long. @returns it with its memories extracted */
	readonly finished: (id: string) => Promise<Readonly<Record<string, unknown>>>;
	readonly dispose: () => Promise<void>;
}

const looksMax = 500;
const lookEveryMs = 20;

export async function startOfficialClient(env: Readonly<Record<string, string>> = {}): Promise<OfficialClient> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-client-"));
	const server = await startServerProcess(folder, { CAIRN_LOG_LEVEL: "error", ...env });
	const sent: string[] = [];
	const counting: typeof fetch = Object.assign((input: Parameters<typeof fetch>[0], init?: RequestInit) => {
		sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
		return fetch(input, init);
	}, fetch);
	const client = new Supermemory({ apiKey: server.key ?? "", baseURL: server.address, fetch: counting });
	return {
		client,
		server,
		folder,
		sent,
		finished: async (id) => {
			for (let i = 0; i < looksMax; i++) {
				const document: Readonly<Record<string, unknown>> = { ...(await client.documents.get(id)) };
				if (document["status"] === "failed") throw new Error(`document ${id} failed: ${JSON.stringify(document["error"])}`);
				if (document["status"] === "done" && document["dreamingStatus"] === "done") return document;
				await Bun.sleep(lookEveryMs);
			}
			throw new Error(`document ${id} was not finished in time`);
		},
		dispose: async () => {
			await server.kill("SIGTERM");
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The client's promises are its own; awaiting is all that they surely can. */
export async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
	try {
		return await promise;
	} catch (thrown) {
		return thrown;
	}
}
