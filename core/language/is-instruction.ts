/**
 * Whether a text gives instructions to a model instead of stating facts (prompt injection). An attacker may place such a text in
 * a document, so that a model obeys it now or remembers and obeys it later. Only common wordings are found; memories from other
 * wordings are rejected because no quote supports them.
 */

/** Phrases that are written only to take over a model; a text that contains one is not trusted at all. */
const takeovers: readonly RegExp[] = [
	/\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|these|system|safety)\b.{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directives?)\b/is,
	/\b(?:ignoriere?|vergiss|missachte)\b.{0,60}\b(?:anweisung|anweisungen|vorgaben|prompts?)\b/is,
	/\b(?:ignore[zr]?|oublie[zr]?)\b.{0,60}\b(?:instructions?|consignes?)\b/is,
	/\b(?:ignora|olvida|ignore)\b.{0,60}\b(?:instrucciones|instruções|istruzioni)\b/is,
	/忽略.{0,12}(?:指令|指示|提示|规则)|(?:指示|命令|プロンプト).{0,6}無視/s,
	/\b(?:reveal|print|show|repeat|your)\b.{0,20}\b(?:system|developer|hidden|initial)\s+(?:prompt|instructions?)\b/is,
	/\byou are now (?:an? |the )?(?:ai|assistant|language model|llm|chatbot|dan|jailbroken|unrestricted)\b/i,
	/<\/?(?:system|instructions?|im_start|im_end)\b|\[\/?INST\]|<\|[a-z_]+\|>/i,
];

/** Wordings that may be harmless, but do not belong in a memory. */
const orders: readonly RegExp[] = [
	/\b(?:system|developer|hidden|initial)\s+(?:prompt|message|instructions?)\b/i,
	/\b(?:you are|act as|pretend to be|you're)\s+(?:an? |the )?(?:ai|assistant|language model|llm|chatbot)\b/i,
	/\b(?:output|respond|reply|answer|return|print|write|emit)\b.{0,30}\b(?:exactly|the following|this json|verbatim|this memory|these memories)\b/i,
	/\b(?:add|save|store|record|create|insert|remember)\b.{0,20}\b(?:this|these|the following)\b.{0,20}\b(?:memor(?:y|ies)|instructions?)\b/i,
	/\b(?:always|never|must)\b.{0,40}\b(?:when|if) (?:asked|the user asks|you are asked|anyone asks)\b/i,
	/\b(?:the (?:assistant|ai|model)|you) (?:must|should|shall|has to|have to) (?:always|never|now|ignore|obey|follow|reveal|send|execute|recommend)\b/i,
];

export function isInstruction(text: string): boolean {
	return isTakeover(text) || orders.some((pattern) => pattern.test(text));
}

/** Whether the text tries to make a model ignore its task. */
export function isTakeover(text: string): boolean {
	return takeovers.some((pattern) => pattern.test(text));
}
