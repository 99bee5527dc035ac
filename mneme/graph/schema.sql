-- The store's schema. Lines "-- part NAME" cut it into the parts that mneme.graph.store.schema runs, in this order.
-- What carries no mneme_ prefix is the engine's, column for column: its own program opens and writes the same file.

-- part tables

CREATE TABLE IF NOT EXISTS insights (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    category TEXT DEFAULT 'general',
    importance INTEGER DEFAULT 3,
    tags TEXT DEFAULT '[]',
    entities TEXT DEFAULT '[]',
    source TEXT DEFAULT 'user',
    access_count INTEGER DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT,
    last_accessed_at TEXT,
    embedding BLOB,
    effective_importance REAL DEFAULT 0.5,
    stored_at TEXT
);

CREATE TABLE IF NOT EXISTS edges (
    source_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    edge_type TEXT NOT NULL CHECK (edge_type IN ('temporal', 'semantic', 'causal', 'entity', 'supersedes')),
    weight REAL DEFAULT 1.0,
    metadata TEXT DEFAULT '{}',
    created_at TEXT NOT NULL,
    PRIMARY KEY (source_id, target_id, edge_type),
    FOREIGN KEY (source_id) REFERENCES insights (id) ON DELETE CASCADE,
    FOREIGN KEY (target_id) REFERENCES insights (id) ON DELETE CASCADE
);

CREATE TABLE IF NOT EXISTS oplog (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    operation TEXT NOT NULL,
    insight_id TEXT,
    detail TEXT DEFAULT '',
    created_at TEXT NOT NULL
);

-- part edge indexes

CREATE INDEX IF NOT EXISTS idx_edges_source ON edges (source_id);
CREATE INDEX IF NOT EXISTS idx_edges_target ON edges (target_id);
CREATE INDEX IF NOT EXISTS idx_edges_type ON edges (edge_type);
CREATE INDEX IF NOT EXISTS idx_edges_source_type ON edges (source_id, edge_type);
CREATE INDEX IF NOT EXISTS idx_edges_target_type ON edges (target_id, edge_type);

-- part indexes

CREATE INDEX IF NOT EXISTS idx_insights_category ON insights (category);
CREATE INDEX IF NOT EXISTS idx_insights_importance ON insights (importance);
CREATE INDEX IF NOT EXISTS idx_insights_created ON insights (created_at);
CREATE INDEX IF NOT EXISTS idx_insights_deleted ON insights (deleted_at);
CREATE INDEX IF NOT EXISTS idx_insights_source ON insights (source);
CREATE INDEX IF NOT EXISTS idx_insights_effective_imp ON insights (effective_importance);
CREATE INDEX IF NOT EXISTS idx_prune_candidates
    ON insights (deleted_at, importance, access_count, effective_importance);
CREATE INDEX IF NOT EXISTS idx_insights_stored ON insights (stored_at);
CREATE INDEX IF NOT EXISTS idx_prune_age_candidates
    ON insights (deleted_at, importance, access_count, stored_at, effective_importance);
CREATE INDEX IF NOT EXISTS idx_oplog_created ON oplog (created_at);

-- An older program of the engine's family does not know the column; its rows get the time all the same.
CREATE TRIGGER IF NOT EXISTS set_insight_stored_at AFTER INSERT ON insights
WHEN new.stored_at IS NULL OR new.stored_at = ''
BEGIN
    UPDATE insights SET stored_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = new.id;
END;

-- part own

CREATE TABLE IF NOT EXISTS mneme_meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- The files that the store was compiled from: path relative to the workspace with '/', SHA-256 in hex.
CREATE TABLE IF NOT EXISTS mneme_files (
    path TEXT PRIMARY KEY,
    digest TEXT NOT NULL
) WITHOUT ROWID;

-- One row a cell; id is the insight's. text is the cell as it stood in the file. touched: another program wrote the
-- insight after us, so the next compile writes it again.
CREATE TABLE IF NOT EXISTS mneme_cells (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    place INTEGER NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    conf TEXT NOT NULL,
    since TEXT NOT NULL,
    seen TEXT NOT NULL,
    topic TEXT NOT NULL,
    gist TEXT NOT NULL,
    imp INTEGER,
    hot TEXT NOT NULL,
    text TEXT NOT NULL,
    touched INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS mneme_cells_path ON mneme_cells (path);
CREATE INDEX IF NOT EXISTS mneme_cells_proposed ON mneme_cells (id) WHERE state = 'proposed';
CREATE INDEX IF NOT EXISTS mneme_cells_touched ON mneme_cells (id) WHERE touched;

-- Entities without case (mneme.graph.entities.fold), of active and deleted insights.
CREATE TABLE IF NOT EXISTS mneme_entities (
    entity TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (entity, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mneme_entities_id ON mneme_entities (id);

-- The number that an insight has in mneme_words. Not the rowid of insights: VACUUM may give those anew.
CREATE TABLE IF NOT EXISTS mneme_docs (
    doc INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE
);

-- Words that mneme.graph.tokens cut, joined by blanks. The tokenizer only parts them again: it leaves everything
-- outside of ASCII alone, so marks, kana and hangul stay whole. extra is for what the insight itself does not say.
CREATE VIRTUAL TABLE IF NOT EXISTS mneme_words USING fts5 (
    gist, cue, topic, body, entities, extra, tokenize = 'ascii'
);

-- The index of words of the default ranker (mneme.graph.fulltext): columns of tokens that mneme.graph.words cut, joined by
-- blanks, and what else it asks of an insight. thread, place: the conversation that it is a turn of.
CREATE TABLE IF NOT EXISTS mneme_text (
    doc INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ident TEXT NOT NULL,
    gist TEXT NOT NULL,
    cue TEXT NOT NULL,
    topic TEXT NOT NULL,
    body TEXT NOT NULL,
    entities TEXT NOT NULL,
    category TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    conf TEXT NOT NULL,
    since TEXT NOT NULL,
    seen TEXT NOT NULL,
    area TEXT NOT NULL,
    thread TEXT NOT NULL,
    place INTEGER NOT NULL,
    asks INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS mneme_text_thread ON mneme_text (thread, place) WHERE thread <> '';

-- Links as cells write them.
CREATE TABLE IF NOT EXISTS mneme_links (
    source TEXT NOT NULL,
    relation TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (source, relation, target)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mneme_links_target ON mneme_links (target);

CREATE VIRTUAL TABLE IF NOT EXISTS mneme_lexicon USING fts5 (
    ident, gist, cue, topic, body, entities, content = 'mneme_text', content_rowid = 'doc',
    tokenize = "ascii tokenchars '-._/:\@#&+=>~|'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS mneme_vocabulary USING fts5vocab (mneme_lexicon, 'row');

-- The insights that the tables above are behind on, whoever wrote them: our writer empties it after indexing.
CREATE TABLE IF NOT EXISTS mneme_changed (
    id TEXT PRIMARY KEY
) WITHOUT ROWID;

-- No trigger touches the full-text table: another program's SQLite may have been built without it. And none says
-- INSERT OR IGNORE: inside of a trigger, what the outer statement says of conflicts goes before.
CREATE TRIGGER IF NOT EXISTS mneme_insight_added AFTER INSERT ON insights
BEGIN
    INSERT INTO mneme_changed (id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM mneme_changed WHERE id = new.id);
END;

CREATE TRIGGER IF NOT EXISTS mneme_insight_changed
AFTER UPDATE OF id, content, tags, entities, deleted_at ON insights
BEGIN
    INSERT INTO mneme_changed (id)
    SELECT old.id WHERE NOT EXISTS (SELECT 1 FROM mneme_changed WHERE id = old.id);
    INSERT INTO mneme_changed (id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM mneme_changed WHERE id = new.id);
END;

CREATE TRIGGER IF NOT EXISTS mneme_insight_removed AFTER DELETE ON insights
BEGIN
    INSERT INTO mneme_changed (id)
    SELECT old.id WHERE NOT EXISTS (SELECT 1 FROM mneme_changed WHERE id = old.id);
END;

-- What recall looks for: the newest of a scope, and whether an insight is in it, without reading its row.
CREATE INDEX IF NOT EXISTS mneme_newest ON insights (created_at DESC, id);
CREATE INDEX IF NOT EXISTS mneme_newest_of_category ON insights (category, created_at DESC, id);
CREATE INDEX IF NOT EXISTS mneme_newest_of_source ON insights (source, created_at DESC, id);
CREATE INDEX IF NOT EXISTS mneme_scope ON insights (id, category, source);
CREATE INDEX IF NOT EXISTS mneme_deleted ON insights (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS mneme_embedded ON insights (id) WHERE embedding IS NOT NULL;

-- part embedded

-- The text that the vector of an insight was made of, as a digest, and the vector's length. Made with the first vector.
CREATE TABLE IF NOT EXISTS mneme_vector_texts (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL
) WITHOUT ROWID;
