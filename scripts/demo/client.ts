/** The few calls the demo makes, as any REST client would make them. */

import { basename } from "node:path";

export interface DocumentState {
	readonly status: string;
	readonly dreamingStatus: string;
	readonly progress: { readonly done: number; readonly total: number; readonly unit: string } | null;
	readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Passage {
	readonly title: string | null;
	readonly score: number;
	readonly metadata: { readonly filename?: string };
	readonly chunks: readonly {
		readonly content: string;
		readonly score: number;
		readonly place: { readonly page?: number; readonly row?: number; readonly seconds?: readonly number[] };
	}[];
}

export interface MemoryHit {
	readonly memory: string;
	readonly similarity: number;
	readonly version: number;
	readonly context?: { readonly parents: readonly { readonly memory: string; readonly relation: string }[] };
}

export interface Answer<Hit> {
	readonly results: readonly Hit[];
	readonly timing: number;
}

export interface Client {
	readonly upload: (path: string, containerTag: string) => Promise<string>;
	readonly get: (id: string) => Promise<DocumentState>;
	readonly searchDocuments: (q: string, containerTag: string) => Promise<Answer<Passage>>;
	readonly searchMemories: (q: string, containerTag: string) => Promise<Answer<MemoryHit>>;
}

export function createClient(address: string, key: string): Client {
	async function ask<Body>(method: string, path: string, body?: BodyInit): Promise<Body> {
		const response = await fetch(`${address}${path}`, { method, headers: { authorization: `Bearer ${key}` }, ...(body === undefined ? {} : { body }) });
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as Body;
	}
	return {
		upload: async (path, containerTag) => {
			const form = new FormData();
			form.append("containerTag", containerTag);
			form.append("file", Bun.file(path), basename(path));
			return (await ask<{ readonly id: string }>("POST", "/v3/documents/file", form)).id;
		},
		get: (id) => ask("GET", `/v3/documents/${id}`),
		searchDocuments: (q, containerTag) => ask("POST", "/v3/search", JSON.stringify({ q, containerTag, limit: 2, onlyMatchingChunks: true })),
		searchMemories: (q, containerTag) => ask("POST", "/v4/search", JSON.stringify({ q, containerTag, limit: 2, threshold: 0.3 })),
	};
}
