/** Storages that let organisations see each other, or forget what they claim to keep. */

import { sampleOrganisation } from "../../contract/samples.ts";
import { otherOrganisation } from "../../contract/storage/ground.ts";
import { type StorageMutant, spoilTenant } from "./spoil.ts";

export const tenancyMutants: readonly StorageMutant[] = [
	{
		name: "leaks another organisation",
		breaks: "isolation: an empty organisation beside a full one is empty",
		spoil: (sound) => ({ ...sound, organisation: () => sound.organisation(sampleOrganisation) }),
	},
	{
		name: "leaks another organisation's hits",
		breaks: "isolation: two organisations with identical ids each see their own",
		spoil: spoilTenant(({ words }, sound) => ({
			words: {
				...words,
				matchChunks: async (...asked) => {
					const [own, foreign] = await Promise.all([sampleOrganisation, otherOrganisation].map((id) => sound.organisation(id).words.matchChunks(...asked)));
					return { hits: [...(own?.hits ?? []), ...(foreign?.hits ?? [])], isWhole: true };
				},
			},
		})),
	},
	{
		name: "takes memories back in both organisations",
		breaks: "isolation: what one organisation does leaves its twin untouched",
		spoil: spoilTenant(({ memories }, sound) => ({
			memories: {
				...memories,
				reground: async (...asked) => {
					for (const id of [sampleOrganisation, otherOrganisation]) await sound.organisation(id).memories.reground(...asked);
				},
			},
		})),
	},
	{
		name: "keeps blobs in one room",
		breaks: "isolation: blobs of one key are apart",
		spoil: spoilTenant((_rooms, sound) => ({ blobs: sound.organisation(sampleOrganisation).blobs })),
	},
	{
		name: "lets a later key take over a hash",
		breaks: "accounts: adding a known key changes nothing",
		spoil: (sound) => ({
			...sound,
			accounts: {
				...sound.accounts,
				addKey: async (key) => {
					const known = await sound.accounts.keyByHash(key.hash);
					if (known !== null) await sound.accounts.removeKey(known.organisation, known.id);
					await sound.accounts.addKey(key);
				},
			},
		}),
	},
	{
		name: "claims to be durable and is not",
		breaks: "storage: what was acknowledged outlives close, where that is claimed",
		spoil: (sound) => ({ ...sound, supports: { ...sound.supports, durable: true } }),
	},
	{
		name: "does no upkeep",
		breaks: "events: upkeep takes the customId of what was deleted for good, and of nothing else",
		spoil: (sound) => ({ ...sound, maintain: async () => undefined }),
	},
	{
		name: "tends away what it should keep",
		breaks: "storage: tending loses nothing",
		spoil: (sound) => ({ ...sound, maintain: () => sound.organisation(sampleOrganisation).blobs.remove("kept") }),
	},
];
