/** The public exports of the SQL store, `cairn-memory/sql`: a storage for any engine that speaks the dialect of SQLite. It is not a plugin itself. */

export { checksum } from "./checksum.ts";
export { sweepDiscarded } from "./documents/discarded.ts";
export * from "./executor.ts";
export * from "./migrations.ts";
export * from "./operations.ts";
export * from "./storage.ts";
export { sweepRows } from "./upkeep.ts";
