/** `createApp(parts)`: every route, no socket. */

import { Elysia } from "elysia";
import { fail } from "../core/errors/fail.ts";
import type { MemoryService } from "../core/memories/memory-service.ts";
import type { ApiKey } from "../core/ports/account-store.ts";
import type { MediaTypes } from "../core/ports/media-types.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { World } from "../core/ports/world.ts";
import type { Service } from "../core/service.ts";
import { authenticate } from "./auth/bearer.ts";
import type { SignedLinks } from "./auth/signed-links.ts";
import { conversationRoutes } from "./routes/conversations.ts";
import { descriptionRoutes } from "./routes/description.ts";
import { documentListRoutes } from "./routes/document-lists.ts";
import { documentRoutes } from "./routes/documents.ts";
import { fileRoutes } from "./routes/files.ts";
import { healthRoutes } from "./routes/health.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { searchRoutes } from "./routes/search.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { errorResponse, statusFor } from "./wire/error.ts";
import { missingRoute } from "./wire/missing-route.ts";
import { requestIdHeader, standardHeaders } from "./wire/standard-headers.ts";

export interface AppParts {
	readonly service: Service;
	readonly memories: MemoryService;
	readonly storage: Storage;
	readonly mediaTypes: MediaTypes;
	readonly links: SignedLinks;
	readonly world: World;
	readonly fileBytesMax: number;
}

/** Who is asking. Throws `KEY_INVALID`. */
export type Authenticate = (request: Request) => Promise<ApiKey>;

export function createApp({ service, memories, storage, mediaTypes, links, world, fileBytesMax }: AppParts) {
	const whoAsks: Authenticate = ({ headers }) => authenticate(headers, storage.accounts);
	const app = new Elysia({
		serve: {
			// Each route keeps a limit of its own while it reads, with a proper answer: Bun's would be an empty one.
			maxRequestBodySize: Number.MAX_SAFE_INTEGER,
			// A second server on the port is refused: the system would share the requests out among the two.
			reusePort: false,
			// No page with source code in it, whatever happens.
			development: false,
		},
	})
		.onRequest(({ request, set }) => {
			Object.assign(set.headers, standardHeaders(world.randomBytes));
			// With a host that is none, Bun leaves the bare path, and no handler could read its query.
			if (!URL.canParse(request.url)) throw fail("INPUT_INVALID", "the host header is not a host");
		})
		.onError(({ error, code, request, set }) => {
			const requestId = String(set.headers[requestIdHeader]);
			if (code !== "NOT_FOUND") return answerError(error, request, requestId, world);
			const missing = missingRoute(request.method, new URL(request.url).pathname, shownRoutes());
			if (missing.allowed.length > 0) set.headers["allow"] = missing.allowed.join(", ");
			return errorResponse(missing.error, requestId);
		})
		.use(healthRoutes(storage))
		.use(documentListRoutes(service, mediaTypes, whoAsks))
		.use(documentRoutes(service, mediaTypes, whoAsks))
		.use(fileRoutes(service, links, world, whoAsks))
		.use(uploadRoutes(service, fileBytesMax, whoAsks))
		.use(conversationRoutes(service, whoAsks))
		.use(searchRoutes(service, whoAsks))
		.use(memoryRoutes(memories, world, whoAsks));
	/** Those that are documented: nobody is led to a file of the Swagger UI. */
	const shownRoutes = () => app.routes.filter(({ hooks }) => hooks.detail?.hide !== true);
	return app.use(descriptionRoutes((request) => app.handle(request)));
}

function answerError(thrown: unknown, request: Request, requestId: string, world: World): Response {
	if (statusFor(thrown) >= 500) {
		const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
		world.log("error", "a request failed", {
			requestId,
			method: request.method,
			path: new URL(request.url).pathname,
			cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
		});
	}
	return errorResponse(thrown, requestId);
}
