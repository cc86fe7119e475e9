/** The wire API as the console calls it: this server alone, with the key that the person signed in with. */

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface Api {
	/** @param body JSON, or a form. @throws Problem for every answer that is no success */
	readonly ask: <Answer>(method: Method, path: string, body?: object, signal?: AbortSignal) => Promise<Answer>;
	/** For an answer that is read while it comes. @throws Problem for every answer that is no success */
	readonly open: (method: Method, path: string, body?: object, signal?: AbortSignal, named?: Readonly<Record<string, string>>) => Promise<Response>;
}

/** What went wrong, and what a person can do about it. */
export class Problem extends Error {
	/** 0 where no server answered. */
	readonly status: number;
	readonly code: string;
	readonly remedy: string | null;

	constructor(status: number, code: string, message: string, remedy: string | null) {
		super(message);
		this.status = status;
		this.code = code;
		this.remedy = remedy;
	}
}

/** @param onRefused is called when the server no longer accepts the key */
export function createApi(key: string, onRefused: () => void): Api {
	const open: Api["open"] = async (method, path, body, signal, named = {}) => {
		const isForm = body instanceof FormData;
		const headers = { ...named, authorization: `Bearer ${key}`, ...(body === undefined || isForm ? {} : { "content-type": "application/json" }) };
		const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
		const response = await reach(path, { method, headers, cache: "no-store", ...sent, ...(signal === undefined ? {} : { signal }) });
		if (response.status === 401) onRefused();
		if (!response.ok) throw await problemOf(response);
		return response;
	};
	return {
		open,
		ask: async <Answer>(...asked: Parameters<typeof open>): Promise<Answer> => {
			const response = await open(...asked);
			// A few answers are a line of text, which nobody reads.
			const isJson = response.headers.get("content-type")?.includes("json") ?? false;
			return (isJson ? await response.json() : undefined) as Answer;
		},
	};
}

async function reach(path: string, init: RequestInit): Promise<Response> {
	try {
		return await fetch(path, init);
	} catch (thrown) {
		if (init.signal?.aborted) throw thrown;
		throw new Problem(0, "SERVER_AWAY", "The server does not answer.", "Check that it runs, then try again.");
	}
}

/** `details` is the code and, after a colon, the remedy. */
async function problemOf(response: Response): Promise<Problem> {
	const answer = (await response.json().catch(() => ({}))) as { readonly error?: string; readonly details?: string; readonly code?: string };
	const code = answer.code ?? String(response.status);
	const remedy = answer.details?.startsWith(`${code}: `) ? answer.details.slice(code.length + 2) : null;
	return new Problem(response.status, code, answer.error ?? `The server answered ${response.status}.`, remedy);
}

/** Whatever was thrown, as something that can be shown. */
export function asProblem(thrown: unknown): Problem {
	if (thrown instanceof Problem) return thrown;
	return new Problem(0, "CONSOLE_FAILED", thrown instanceof Error ? thrown.message : String(thrown), "Reload the page.");
}
