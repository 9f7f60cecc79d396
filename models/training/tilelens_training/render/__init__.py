"""Pictures that are made: faces, tiles, tables, things that are no tile."""
