/** `/v4/memories`: write, change, forget and list memories directly. */

import type { MemoryService } from "../../../core/memories/memory-service.ts";
import { withDefaultContainer, withDefaultContainers } from "../../wire/requests/fields.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import {
	createMemoriesBody,
	forgetMatchingBody,
	forgetMemoryBody,
	listMemoriesBody,
	parseCreateMemories,
	parseForgetMatching,
	parseForgetMemory,
	parseListMemories,
	parseRestoreMemories,
	parseReviseMemory,
	restoreMemoriesBody,
	reviseMemoryBody,
} from "../../wire/v4/memory-requests.ts";
import { toMatches, toMemoryList, toRestored, toRevised, toWritten } from "../../wire/v4/memory-responses.ts";
import { dryRunAccess, readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");
const containerTag = "user_123";

export function memoryRoutes(memories: MemoryService): readonly Operation[] {
	return [
		operation(
			"POST /v4/memories",
			{
				access: writeAccess,
				summary: "Write memories directly",
				description: "Up to 100. They can be found immediately; a source document is created for them.",
				operationId: "createMemories",
				body: createMemoriesBody,
				example: { containerTag, memories: [{ content: "John prefers dark mode", isStatic: true }] },
				responses: { 201: "WrittenMemories" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { containerTag: tag, memories: newMemories } = parseCreateMemories(withDefaultContainer(await readJson(request), caller));
				return toWritten(await memories.create(caller, tag, newMemories, request.signal));
			},
		),
		operation(
			"PATCH /v4/memories",
			{
				access: writeAccess,
				summary: "Write a new version of a memory",
				description: "The memory is named by id or exact text. The old version is kept, but is no longer the latest.",
				operationId: "reviseMemory",
				body: reviseMemoryBody,
				example: { containerTag, content: "John prefers dark mode", newContent: "John prefers light mode" },
				responses: { 200: "RevisedMemory" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN", "MEMORY_MISSING", "MEMORY_CONTESTED"],
			},
			async ({ request, caller }) => {
				const { containerTag: tag, name, revision } = parseReviseMemory(withDefaultContainer(await readJson(request), caller));
				return toRevised(await memories.revise(caller, tag, name, revision, request.signal));
			},
		),
		operation(
			"DELETE /v4/memories",
			{
				access: writeAccess,
				summary: "Forget a memory",
				description: "It is hidden from every search that does not ask for forgotten memories. The source document stays.",
				operationId: "forgetMemory",
				body: forgetMemoryBody,
				example: { containerTag, content: "John prefers dark mode" },
				responses: { 200: "ForgottenMemory" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN", "MEMORY_MISSING", "MEMORY_FORGOTTEN"],
			},
			async ({ request, caller }) => {
				const { containerTag: tag, name, reason } = parseForgetMemory(withDefaultContainer(await readJson(request), caller));
				const { memory, batch } = await memories.forget(caller, tag, name, reason);
				return { id: memory.id, forgotten: true, forgetBatchId: batch };
			},
		),
		operation(
			"POST /v4/memories/forget-matching",
			{
				access: dryRunAccess,
				summary: "Forget all memories that match",
				description: "By a query or by ids. Use `dryRun` first to see the matches.",
				operationId: "forgetMatchingMemories",
				body: forgetMatchingBody,
				example: { containerTag, query: "dark mode", dryRun: true },
				responses: { 200: "MatchingMemories" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { request: selection, dryRun, reason } = parseForgetMatching(withDefaultContainer(await readJson(request), caller));
				const matches = await memories.matching(caller, selection, request.signal);
				if (dryRun) return toMatches(matches, true, null);
				const ids = matches.map(({ memory }) => memory.id);
				return toMatches(matches, false, await memories.forgetAll(caller, selection.containerTag, ids, reason));
			},
		),
		operation(
			"POST /v4/memories/restore",
			{
				access: writeAccess,
				summary: "Bring back forgotten memories",
				description: "One, several, or all that one request has forgotten. This is possible for some days.",
				operationId: "restoreMemories",
				body: restoreMemoriesBody,
				example: { containerTag, forgetBatchId: "a-forget-batch-id" },
				responses: { 200: "RestoredMemories" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN", "UNDO_EXPIRED", "MEMORY_NOT_FORGOTTEN"],
			},
			async ({ request, caller }) => {
				const { containerTag: tag, request: selection } = parseRestoreMemories(withDefaultContainer(await readJson(request), caller));
				return toRestored(await memories.restore(caller, tag, selection));
			},
		),
		operation(
			"POST /v4/memories/list",
			{
				access: readAccess,
				summary: "List memories with their history",
				description: "The latest versions, in any of the containers; forgotten ones are marked, unless they are left out.",
				operationId: "listMemories",
				body: listMemoriesBody,
				example: { containerTags: [containerTag], limit: 10 },
				responses: { 200: "MemoryList" },
				errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CURSOR_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { scope, page, includeForgotten } = parseListMemories(withDefaultContainers(await readJson(request), caller));
				return toMemoryList(await memories.list(caller, scope, page, includeForgotten), page, caller.organisation);
			},
		),
	];
}
