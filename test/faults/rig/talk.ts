/** Talks to a server that may be killed at any moment. */

export const key = "fault-run-test-key-00001";
export const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };

export interface Answer {
	readonly status: number;
	/** Null for an empty body. */
	readonly body: Readonly<Record<string, unknown>> | null;
}

export interface Served {
	readonly address: string;
}

/** @returns null if the connection broke before the whole answer was there, so nobody knows whether it was done. */
export async function attempt(server: Served, method: string, path: string, body?: unknown): Promise<Answer | null> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	try {
		const response = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
		const text = await response.text();
		return { status: response.status, body: text === "" ? null : (JSON.parse(text) as Answer["body"]) };
	} catch {
		return null;
	}
}

/** For requests that must succeed. */
export async function ask<Body = Readonly<Record<string, unknown>>>(server: Served, method: string, path: string, body?: unknown): Promise<Body> {
	const answer = await attempt(server, method, path, body);
	if (answer === null || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
	return answer.body as Body;
}

/** Waits until no document is being processed. */
export async function settled(server: Served): Promise<void> {
	for (let i = 0; i < 6_000; i++) {
		if ((await ask<{ total: number }>(server, "GET", "/v3/documents/processing")).total === 0) return;
		await Bun.sleep(20);
	}
	throw new Error("documents are still being processed");
}
