/** Whether the server lives, whether it can work, and what it is: all without a key. */

import { Elysia } from "elysia";
import type { Storage } from "../../core/ports/storage.ts";
import { version } from "../version.ts";
import { operation } from "./operation.ts";

const tags = ["Health"] as const;

export function healthRoutes(storage: Storage) {
	return new Elysia()
		.get("/", () => ({ name: "cairn", version, documentation: "/swagger" }), {
			detail: operation({ summary: "What this is", tags, operationId: "index", answers: { 200: "About" }, errors: [], isOpen: true }),
		})
		.get("/health", () => ({ status: "ok", version }), {
			detail: operation({ summary: "Whether the server lives", tags, operationId: "health", answers: { 200: "Health" }, errors: [], isOpen: true }),
		})
		.get(
			"/ready",
			async () => {
				await storage.check();
				return { status: "ready", version, queue: await storage.jobs.depth() };
			},
			{
				detail: operation({
					summary: "Whether it can work",
					tags,
					operationId: "ready",
					answers: { 200: "Ready" },
					errors: ["STORAGE_UNREACHABLE"],
					isOpen: true,
				}),
			},
		);
}
