/** The wire API as the tools call it: what a key may not do over HTTP, no tool does for it. */

export interface WireApi {
	/** @returns the parsed answer. @throws WireError for every answer that is no success */
	readonly ask: (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;
}

export class WireError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** Documents and memories that come this way say so (`sm_source`). */
const source = "mcp";

/**
 * @param send takes a request to the server: `fetch`, or the app itself where both are one program
 * @param address where the server answers, without a path
 * @param authorization the header as the client of the tools sent it
 */
export function createWireApi(send: (request: Request) => Promise<Response>, address: string, authorization: string): WireApi {
	return {
		ask: async (method, path, body) => {
			const headers = { authorization, "content-type": "application/json", "x-sm-source": source };
			const response = await send(new Request(new URL(path, address), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
			const answer = response.status === 204 ? null : await response.json();
			if (!response.ok) throw new WireError(response.status, wordsOf(answer, response.status));
			return answer;
		},
	};
}

function wordsOf(answer: unknown, status: number): string {
	const { error, details } = (answer ?? {}) as { readonly error?: unknown; readonly details?: unknown };
	const words = [error, details].filter((part): part is string => typeof part === "string" && part !== "");
	return words.length === 0 ? `the server answered ${status}` : words.join(": ");
}
