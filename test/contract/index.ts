/** The published kit: the laws of every kind of plugin, and what they are tried on. Runs in any test runner. */

export * from "./address-reader-laws.ts";
export * from "./chunker-laws.ts";
export * from "./connector-laws.ts";
export type { ConnectorScene } from "./connector-scene.ts";
export * from "./embedder-laws.ts";
export * from "./extractor-laws.ts";
export * from "./language-model-laws.ts";
export * from "./law.ts";
export * from "./memory-extractor-laws.ts";
export * from "./memory-linker-laws.ts";
export * from "./plugin-laws.ts";
export * from "./query-rewriter-laws.ts";
export * from "./quiet-host.ts";
export * from "./reranker-laws.ts";
export * from "./samples.ts";
export * from "./samples-text.ts";
export * from "./start.ts";
export * from "./storage/storage-laws.ts";
