/** The states of documents that are on their way, and those that a list can be narrowed to. */

export const workingStates: readonly string[] = ["queued", "extracting", "chunking", "embedding", "indexing"];

export const listedStates = [
	{ id: "", label: "All states" },
	{ id: "done", label: "Done" },
	{ id: "working", label: "In the queue" },
	{ id: "failed", label: "Failed" },
];
