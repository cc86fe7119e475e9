/** Organisations and API keys in RAM. */

import type { AccountStore, ApiKey, Organisation } from "cairn-memory";

export function ramAccounts(): AccountStore {
	const organisations: Organisation[] = [];
	const keysByHash = new Map<string, ApiKey>();
	return {
		organisations: async () => [...organisations],
		addOrganisation: async (organisation) => {
			organisations.push(organisation);
		},
		keyByHash: async (hash) => keysByHash.get(hash) ?? null,
		keys: async (organisation) => [...keysByHash.values()].filter((key) => key.organisation === organisation),
		addKey: async (key) => {
			if (!keysByHash.has(key.hash)) keysByHash.set(key.hash, key);
		},
		changeKey: async (organisation, id, change) => {
			const key = [...keysByHash.values()].find((known) => known.id === id && known.organisation === organisation);
			if (key === undefined) return null;
			const changed = { ...key, ...change };
			keysByHash.set(key.hash, changed);
			return changed;
		},
		removeKey: async (organisation, id) => {
			const key = [...keysByHash.values()].find((known) => known.id === id && known.organisation === organisation);
			return key !== undefined && keysByHash.delete(key.hash);
		},
	};
}
