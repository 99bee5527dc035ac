"""Names that are entities wherever they are written, and capitals that never are one."""

from __future__ import annotations

_LANGUAGES = "Go Rust Python Java Kotlin Swift Ruby Elixir Zig Lua Dart Scala Perl Haskell OCaml Julia Clojure"
_JAVASCRIPT = "JavaScript TypeScript React Vue Angular Svelte Next Nuxt Node Deno Bun Vite Webpack"
_DATA_STORES = (
    "SQLite PostgreSQL Postgres MySQL Redis MongoDB DynamoDB Cassandra Qdrant Milvus Chroma Pinecone Neo4j Weaviate "
    "Elasticsearch"
)
_INFRASTRUCTURE = (
    "Docker Kubernetes Terraform Ansible Nginx Caddy Kafka RabbitMQ AWS GCP Azure Vercel Netlify Cloudflare Supabase "
    "Firebase"
)
_LEARNING = "Ollama OpenAI Claude Anthropic PyTorch TensorFlow LangChain LlamaIndex FAISS Hugging"
_TOOLS = "Git GitHub GitLab Cobra FastAPI Flask Django Rails Spring Express Gin Echo Fiber Pytest Jest Vitest"
_PROTOCOLS = "gRPC GraphQL WebSocket OAuth JWT YAML TOML Protobuf"
_OWN = "MAGMA MCP RLM"

DICTIONARY = frozenset(
    f"{_LANGUAGES} {_JAVASCRIPT} {_DATA_STORES} {_INFRASTRUCTURE} {_LEARNING} {_TOOLS} {_PROTOCOLS} {_OWN}".split()
)
"""Names of languages, products and protocols, in the one spelling that counts: "Go" is one, "go" is not."""

_SHOUTED = (
    "IN ON AT TO BY OR AN IF IS IT OF AS DO NO SO UP WE HE MY BE GO THE AND FOR ARE BUT NOT YOU ALL CAN HER WAS ONE "
    "OUR OUT HAS HAD HOW MAN NEW NOW OLD SEE WAY MAY SAY SHE TWO USE BOY DID GET HIM HIS LET PUT TOP TOO ANY"
)

NO_ENTITIES = frozenset(_SHOUTED.split())
"""Words that are no acronym when somebody shouts."""
