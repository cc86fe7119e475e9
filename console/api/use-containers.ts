/** The containers that the key reaches. A key that is bound to containers may not list them all, and knows its own. */

import { useRef } from "react";
import { useConsole } from "../context.ts";
import type { Api } from "./client.ts";
import { type Loaded, useLoad } from "./use-load.ts";
import type { Container } from "./wire.ts";

export interface Containers {
	readonly tags: readonly string[];
	/** Null where the key may not count them. */
	readonly memories: number | null;
	readonly all: readonly Container[];
}

/** As they were when a page last asked. Counting thousands of containers takes the server a moment that no page should wait for. */
const lastSeen = new WeakMap<Api, Containers>();

export function useContainers(pauseMs: number | null = null): Loaded<Containers> {
	const { api, session } = useConsole();
	const load = async (signal: AbortSignal): Promise<Containers> => {
		if (session.containerTags !== null) return { tags: session.containerTags.map(({ containerTag }) => containerTag), memories: null, all: [] };
		const all = await api.ask<readonly Container[]>("GET", "/v3/container-tags/list", undefined, signal);
		return { tags: all.map(({ containerTag }) => containerTag), memories: all.reduce((sum, { memoryCount }) => sum + memoryCount, 0), all };
	};
	return useLoad(
		"containers",
		async (signal) => {
			const containers = await load(signal);
			lastSeen.set(api, containers);
			return containers;
		},
		() => pauseMs,
		lastSeen.get(api) ?? null,
	);
}

/** The container that is asked for, else the one with most memories as they were when the page opened. Null until that is known, and where there is none. */
export function useFullest(asked: string | null, { value }: Loaded<Containers>): string | null {
	const fullest = useRef<string | null>(null);
	fullest.current ??= value?.all.toSorted((a, b) => b.memoryCount - a.memoryCount)[0]?.containerTag ?? value?.tags[0] ?? null;
	return asked ?? fullest.current;
}
