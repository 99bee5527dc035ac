"""The Mneme format and nothing else: vocabulary, model, parser, digests, IDs, dates, trust, spine, edits."""
