/** The containers that the key reaches. A key that is bound to containers may not list them all, and knows its own. */

import { useConsole } from "../context.ts";
import { type Loaded, useLoad } from "./use-load.ts";
import type { Container } from "./wire.ts";

export interface Containers {
	readonly tags: readonly string[];
	/** Null where the key may not count them. */
	readonly memories: number | null;
	readonly all: readonly Container[];
}

export function useContainers(pauseMs: number | null = null): Loaded<Containers> {
	const { api, session } = useConsole();
	return useLoad(
		"containers",
		async (signal) => {
			if (session.containerTags !== null) return { tags: session.containerTags.map(({ containerTag }) => containerTag), memories: null, all: [] };
			const all = await api.ask<readonly Container[]>("GET", "/v3/container-tags/list", undefined, signal);
			return { tags: all.map(({ containerTag }) => containerTag), memories: all.reduce((sum, { memoryCount }) => sum + memoryCount, 0), all };
		},
		() => pauseMs,
	);
}
