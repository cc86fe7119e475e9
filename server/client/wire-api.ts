/** A client of the HTTP API. The agent tools and the commands use it, so that they have no more rights than their API key. */

export interface WireApi {
	/** @param body a value to send as JSON, or a form. @returns the parsed response. @throws WireError for every unsuccessful response */
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

/** `.` and `..` as a part of a path, where an id should be. `encodeURIComponent` leaves them, and a URL with them leads to another route. */
const dotSegment = /\/\.\.?(?:[/?]|$)/;

export interface WireApiOptions {
	/** Sends a request to the server: `fetch`, or the app's own handler in the same process. */
	readonly send: (request: Request) => Promise<Response>;
	/** The server's base URL. */
	readonly baseUrl: string;
	readonly key: string;
	/** The `sm_source` of documents and memories added this way. */
	readonly source: string;
	/** Waits for as long as the server says when the rate of the key is exceeded, instead of failing. */
	readonly waitsForRate?: boolean;
}

export function createWireApi({ send, baseUrl, key, source, waitsForRate = false }: WireApiOptions): WireApi {
	return {
		ask: async (method, path, body) => {
			if (dotSegment.test(path)) throw new WireError(400, "an id is not . or ..");
			const isForm = body instanceof FormData;
			const headers = {
				authorization: `Bearer ${key}`,
				"x-sm-source": source,
				...(isForm || body === undefined ? {} : { "content-type": "application/json" }),
			};
			const init = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
			const sendOnce = () => send(new Request(new URL(path, baseUrl), { method, headers, ...init }));
			let response = await sendOnce();
			for (let waitMs = rateWaitMs(response); waitsForRate && waitMs > 0; waitMs = rateWaitMs(response)) {
				await Bun.sleep(waitMs);
				response = await sendOnce();
			}
			const responseBody = await parseResponse(response);
			if (!response.ok) throw new WireError(response.status, errorMessage(responseBody, response.status));
			return responseBody;
		},
	};
}

/** How long to wait before the next request of this key; 0 unless the response says that its rate is exceeded. */
function rateWaitMs({ status, headers }: Response): number {
	return status === 429 ? Number(headers.get("retry-after-ms") ?? 0) : 0;
}

/** Sends requests over the network. If no server responds, the error contains its URL. */
export function networkSender(baseUrl: string): WireApiOptions["send"] {
	return async (request) => {
		try {
			return await fetch(request);
		} catch (thrown) {
			throw new WireError(0, `no Cairn server responds at ${baseUrl}: start one, or set CAIRN_URL`, { cause: thrown });
		}
	};
}

/** @throws WireError if the response is not JSON, since then it does not come from Cairn */
async function parseResponse(response: Response): Promise<unknown> {
	const text = await response.text();
	if (text === "") return null;
	try {
		return JSON.parse(text);
	} catch {
		throw new WireError(response.status, `the response is not from a Cairn server: ${response.status} ${text.slice(0, 80)}`);
	}
}

function errorMessage(responseBody: unknown, status: number): string {
	const { error, details } = (responseBody ?? {}) as { readonly error?: unknown; readonly details?: unknown };
	const messages = [error, details].filter((part): part is string => typeof part === "string" && part !== "");
	return messages.length === 0 ? `the server responded with HTTP status ${status}` : messages.join(": ");
}
