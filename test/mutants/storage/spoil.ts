/** What a mutant of a storage is: a sound storage with one promise broken, and the law that must notice. */

import type { DocumentStore, JobQueue, MemoryStore, OrganisationId, OrganisationRooms, Storage, VectorIndex, WordIndex } from "cairn-memory";

export interface StorageMutant {
	/** What is wrong with it. */
	readonly name: string;
	/** The name of the law that catches it. */
	readonly breaks: string;
	readonly spoil: (sound: Storage) => Storage;
}

export function spoilRooms(spoil: (rooms: OrganisationRooms, sound: Storage, id: OrganisationId) => Partial<OrganisationRooms>): StorageMutant["spoil"] {
	return (sound) => ({
		...sound,
		organisation: (id) => {
			const rooms = sound.organisation(id);
			return { ...rooms, ...spoil(rooms, sound, id) };
		},
	});
}

export function spoilDocuments(spoil: (documents: DocumentStore, sound: Storage) => Partial<DocumentStore>): StorageMutant["spoil"] {
	return spoilRooms(({ documents }, sound) => ({ documents: { ...documents, ...spoil(documents, sound) } }));
}

export function spoilMemories(spoil: (memories: MemoryStore) => Partial<MemoryStore>): StorageMutant["spoil"] {
	return spoilRooms(({ memories }) => ({ memories: { ...memories, ...spoil(memories) } }));
}

export function spoilWords(spoil: (words: WordIndex) => Partial<WordIndex>): StorageMutant["spoil"] {
	return spoilRooms(({ words }) => ({ words: { ...words, ...spoil(words) } }));
}

export function spoilVectors(spoil: (vectors: VectorIndex) => Partial<VectorIndex>): StorageMutant["spoil"] {
	return spoilRooms(({ vectors }) => ({
		vectors: (space) => {
			const index = vectors(space);
			return { ...index, ...spoil(index) };
		},
	}));
}

export function spoilJobs(spoil: (jobs: JobQueue) => Partial<JobQueue>): StorageMutant["spoil"] {
	return (sound) => ({ ...sound, jobs: { ...sound.jobs, ...spoil(sound.jobs) } });
}
