/** The published kit: the contract tests of every kind of plugin, and what they are tried on. Runs in any test runner. */

export { ramBlobs } from "../../plugins/stores/ram/blobs.ts";
export * from "./address-reader-contract.ts";
export * from "./blob-store-contract.ts";
export * from "./chunker-contract.ts";
export * from "./connector-contract.ts";
export type { ConnectorScene } from "./connector-scene.ts";
export * from "./contract-test.ts";
export * from "./embedder-contract.ts";
export * from "./extractor-contract.ts";
export * from "./language-model-contract.ts";
export * from "./memory-extractor-contract.ts";
export * from "./memory-linker-contract.ts";
export * from "./plugin-contract.ts";
export * from "./query-rewriter-contract.ts";
export * from "./quiet-host.ts";
export * from "./reranker-contract.ts";
export * from "./samples.ts";
export * from "./samples-text.ts";
export * from "./start.ts";
export * from "./storage/storage-contract.ts";
export * from "./vector-index-contract.ts";
export * from "./word-index-contract.ts";
