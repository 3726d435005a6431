mod double;
mod exact;
