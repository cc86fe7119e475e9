/** A client of the HTTP API for the agent tools and the commands, so that these have no more rights than their key. */

export interface WireApi {
	/** @param body JSON, or a form. @returns the parsed response. @throws WireError for every unsuccessful response */
	readonly ask: (method: "GET" | "POST" | "DELETE" | "PUT", path: string, body?: object) => Promise<unknown>;
}

export class WireError extends Error {
	readonly status: number;

	/** @param status the HTTP status; 0 if no server responded */
	constructor(status: number, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}

export interface WireApiOptions {
	/** Sends a request to the server: `fetch`, or the app's own handler in the same process. */
	readonly send: (request: Request) => Promise<Response>;
	/** The server's base address. */
	readonly address: string;
	readonly key: string;
	/** The `sm_source` of documents and memories added this way. */
	readonly source: string;
}

export function createWireApi({ send, address, key, source }: WireApiOptions): WireApi {
	return {
		ask: async (method, path, body) => {
			const isForm = body instanceof FormData;
			const headers = {
				authorization: `Bearer ${key}`,
				"x-sm-source": source,
				...(isForm || body === undefined ? {} : { "content-type": "application/json" }),
			};
			const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
			const response = await send(new Request(new URL(path, address), { method, headers, ...sent }));
			const answer = await parsed(response);
			if (!response.ok) throw new WireError(response.status, wordsOf(answer, response.status));
			return answer;
		},
	};
}

/** Sends requests over the network. The error for a missing server names its address. */
export function reaching(address: string): WireApiOptions["send"] {
	return async (request) => {
		try {
			return await fetch(request);
		} catch (thrown) {
			throw new WireError(0, `no Cairn server answers at ${address}: start one, or set CAIRN_URL`, { cause: thrown });
		}
	};
}

/** The response may not be from Cairn. */
async function parsed(response: Response): Promise<unknown> {
	const text = await response.text();
	if (text === "") return null;
	try {
		return JSON.parse(text);
	} catch {
		throw new WireError(response.status, `what answered is no Cairn server: ${response.status} ${text.slice(0, 80)}`);
	}
}

function wordsOf(answer: unknown, status: number): string {
	const { error, details } = (answer ?? {}) as { readonly error?: unknown; readonly details?: unknown };
	const words = [error, details].filter((part): part is string => typeof part === "string" && part !== "");
	return words.length === 0 ? `the server answered ${status}` : words.join(": ");
}
